import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { childEnvironment } from '#server/settings.ts';
import { freePort, startStack } from '../e2e/stack.ts';
import { linkNumber } from './link-number.ts';
import { loadTest } from './load.ts';

const CONNECTIONS = 50;
const ROUND_SECONDS = 4;
const ROUNDS = 3;

/**
 * `GET /v1/status`, a validation error and a 401 at 50 connections, beside a bare `node:http` server that does
 * the same look-up and answers its row: what is between the two is all that the product adds. The rounds
 * alternate, so that all meet the same machine. Database, server and load are on this machine together.
 */
export async function benchStatus() {
  const stack = await startStack({
    env: {
      RATE_READS_PER_MINUTE: '1000000',
      RATE_SENDS_PER_MINUTE: '1000000',
      RATE_BAD_KEYS_PER_MINUTE: '1000000',
    },
  });
  const bare = await startBare(stack.dataDir, await databaseUrl(stack.dataDir));
  try {
    const key = (await linkNumber(stack)).key;
    const headers = { 'x-api-key': key };
    const wrongKey = `${key.slice(0, 40)}${key[40] === 'a' ? 'b' : 'a'}${key.slice(41)}`;
    const json = { ...headers, 'content-type': 'application/json' };
    const targets = {
      bare: { url: `${bare.url}/v1/status`, headers, status: 200 },
      status: { url: `${stack.url}/v1/status`, headers, status: 200 },
      validation: { url: `${stack.url}/v1/messages/text`, headers: json, body: '{"to":"+49"}', status: 400 },
      unauthorized: { url: `${stack.url}/v1/status`, headers: {}, status: 401 },
      wrongKey: { url: `${stack.url}/v1/status`, headers: { 'x-api-key': wrongKey }, status: 401 },
    };
    const rounds = new Map<string, { perSecond: number; p50: number; p99: number }[]>();
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, target] of Object.entries(targets)) {
        const seconds = round < 0 ? 2 : ROUND_SECONDS;
        const result = await loadTest({ ...target, connections: CONNECTIONS, seconds });
        if (round >= 0) rounds.set(name, [...(rounds.get(name) ?? []), result]);
      }
    }
    const best = Object.fromEntries(
      [...rounds].map(([name, all]) => [name, all.reduce((a, b) => (b.perSecond > a.perSecond ? b : a))]),
    );
    const share = (name: string) => round((best[name]?.perSecond ?? 0) / (best.bare?.perSecond ?? 1));
    return {
      connections: CONNECTIONS,
      ...best,
      ratios: {
        status: share('status'),
        validation: share('validation'),
        unauthorized: share('unauthorized'),
      },
    };
  } finally {
    bare.process.kill();
    await stack.stop();
  }
}

const round = (ratio: number) => Math.round(ratio * 100) / 100;

/** Where the running product's database is: its command line finds it as an operator's does. */
function databaseUrl(dataDir: string): Promise<string> {
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

async function startBare(dataDir: string, url: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-server.ts')], {
    env: childEnvironment({
      DATABASE_URL: url,
      PORT: String(port),
      DATA_DIR: dataDir,
      NODE_ENV: 'production',
    }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, process: child };
}
