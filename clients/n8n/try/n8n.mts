/** A running n8n. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { freePort } from '../../../e2e/stack.ts';
import { childEnvironment } from '../../../server/settings.ts';
import { until } from '../test/product.mts';

/** A first start writes the tables; on a busy machine it takes minutes. */
const READY_WITHIN_MS = 600_000;

export interface N8n extends AsyncDisposable {
  url: string;
}

/** Starts the n8n of `dir`. Its data is below `userFolder` and in the PostgreSQL of `databaseUrl`. */
export async function startN8n(options: {
  dir: string;
  userFolder: string;
  databaseUrl: string;
  port: number;
}): Promise<N8n> {
  const { port } = options;
  const database = new URL(options.databaseUrl);
  const env = childEnvironment({
    N8N_USER_FOLDER: options.userFolder,
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: database.hostname,
    DB_POSTGRESDB_PORT: database.port,
    DB_POSTGRESDB_USER: database.username,
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(database.password),
    DB_POSTGRESDB_DATABASE: database.pathname.slice(1),
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    N8N_SECURE_COOKIE: 'false',
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    // Nothing is asked of n8n's own servers.
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
  });
  const program = path.join(options.dir, 'node_modules/n8n/bin/n8n');
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => {
    if (child.exitCode !== null) throw new Error('n8n ended');
    const answer = await fetch(`${url}/healthz/readiness`).catch(() => null);
    return answer?.ok || null;
  };
  await until(ready, READY_WITHIN_MS, 500).catch((cause) => {
    child.kill('SIGKILL');
    throw new Error(`n8n was not ready:\n${output}`, { cause });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
