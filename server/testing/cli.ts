import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodePath } from '#server/platform/process/node.ts';
import { childEnvironment } from '#server/settings.ts';

const MAIN = path.join(import.meta.dirname, '../cli/main.ts');

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The real command line as a separate process, `within` a line of shell that runs it as `"$0" "$@"`. */
export function runCli(
  args: string[],
  env: Record<string, string | undefined>,
  within = 'exec "$0" "$@"',
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', within, nodePath, MAIN, ...args], {
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The output of a command. Throws its error if it failed or printed more or less than one value. */
export function printedValue<T = Record<string, unknown>>({ code, stdout, stderr }: CliRun): T {
  if (code !== 0 || stderr !== '') throw new Error(stderr.trim() || `it ended with code ${code}`);
  if (!/^\S[^\n]*\n$/.test(stdout)) throw new Error(`not one line: ${JSON.stringify(stdout)}`);
  return JSON.parse(stdout) as T;
}

/** The output of a command in a separate process. */
export async function cliValue<T = Record<string, unknown>>(
  args: string[],
  env: Record<string, string | undefined>,
): Promise<T> {
  return printedValue<T>(await runCli(args, env));
}
