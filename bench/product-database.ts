import { execFile } from 'node:child_process';
import path from 'node:path';
import { childEnvironment } from '#server/settings.ts';

/** The address of the running product's database, as the operator's command line finds it. */
export function productDatabaseUrl(dataDir: string): Promise<string> {
  const script = `
    import { startDatabase } from '#server/start/database.ts';
    const started = await startDatabase({ databaseUrl: undefined, dataDir: process.argv[1] });
    process.stdout.write(started.url, () => process.exit(0));`;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--input-type=module', '-e', script, dataDir],
      { cwd: path.join(import.meta.dirname, '..'), env: childEnvironment({ DATA_DIR: dataDir }) },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
  });
}
