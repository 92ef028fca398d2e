import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { withSql } from '#server/testing/sql.ts';
import { Installation, isStopped, status } from '#server/testing/start.ts';

const installation = new Installation();
afterAll(() => installation[Symbol.asyncDispose]());

const ALL_SENT = MESSAGE_TYPES.map((type) => [type, '200']);

/** Starts the product with the demo, and reads what the demo prints. */
async function demonstrate() {
  const product = await installation.start('--demo');
  await vi.waitFor(() => expect(product.output()).toMatch(/password \S+\n/), {
    timeout: 120_000,
    interval: 50,
  });
  const shown = [...product.output().matchAll(/POST \/v1\/messages\/(\w+) +(\d+) {2}(.+)/g)];
  const command = /curl(?:.+\\\n)+.+/.exec(product.output())?.[0] ?? '';
  return { product, shown, request: pasted(command) };
}

/** The request that curl gets when the command is pasted into a shell. */
function pasted(command: string) {
  const bin = path.join(installation.place, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  const script = `#!${nodePath}\nconsole.log(JSON.stringify(process.argv.slice(2)))`;
  fs.writeFileSync(path.join(bin, 'curl'), script, { mode: 0o755 });
  const env = { ...installation.environment, PATH: `${bin}:${installation.environment.PATH}` };
  const args: string[] = JSON.parse(execFileSync('sh', ['-c', command], { env, encoding: 'utf8' }));
  const valuesOf = (flag: string) => args.flatMap((arg, at) => (args[at - 1] === flag ? [arg] : []));
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ') as [string, string]));
  const [method = '', body = ''] = [...valuesOf('-X'), ...valuesOf('-d')];
  return { url: args.find((arg) => arg.startsWith('http')) ?? '', init: { method, headers, body } };
}

/** Who did what, by the audit log. */
async function auditLog() {
  const server = await ensurePostgres(path.join(installation.dataDir, 'postgres'));
  const database = withSql(openDatabase(server.url));
  try {
    return await database.sql<{ action: string; kind: string }[]>`
      select action, kind from audit_log join audit_actors on audit_id = audit_log.id order by audit_log.id`;
  } finally {
    await database.close();
    await server.release();
  }
}

/**
 * managed-process.test.ts checks that a process never waits for a reader of its output; this checks the whole
 * product.
 */
async function answersWhileItsSupervisorIsStopped({
  product,
  request,
}: Awaited<ReturnType<typeof demonstrate>>) {
  process.kill(product.pid, 'SIGSTOP');
  try {
    await vi.waitFor(() => expect(isStopped(`${product.pid}-`)).toBe(true));
    expect(await status(product)).toBe(200);
    const answer = await fetch(request.url, { ...request.init, signal: AbortSignal.timeout(55_000) });
    expect(await answer.json()).toMatchObject({ success: true, data: { status: 'sent' } });
  } finally {
    process.kill(product.pid, 'SIGCONT');
  }
}

async function stop({ product }: Awaited<ReturnType<typeof demonstrate>>) {
  process.kill(product.pid, 'SIGTERM');
  expect(await product.ended).toBe(0);
}

test('the demo sends a message of each kind, prints a working curl command, and can run again', async () => {
  const first = await demonstrate();
  expect(first.shown.map(([, kind, code]) => [kind, code])).toEqual(ALL_SENT);
  for (const [, type, , answer] of first.shown) {
    expect(JSON.parse(answer ?? '')).toMatchObject({ success: true, data: { type, status: 'sent' } });
  }
  const answer = await fetch(first.request.url, first.request.init);
  expect(await answer.json()).toMatchObject({ success: true, data: { type: 'text', status: 'sent' } });
  const done = await auditLog();
  expect(done.map(({ action }) => action)).toContain('number.link');
  expect(new Set(done.map(({ kind }) => kind))).toEqual(new Set(['cli']));
  await answersWhileItsSupervisorIsStopped(first);
  await stop(first);

  const second = await demonstrate();
  expect(second.shown.map(([, kind, code]) => [kind, code])).toEqual(ALL_SENT);
  // The account and its number are the same; only the key is new.
  const numberIn = (output: string) => /each kind from (\d+)/.exec(output)?.[1];
  expect(numberIn(second.product.output())).toBe(numberIn(first.product.output()));
  expect((await fetch(second.request.url, first.request.init)).status).toBe(401);
  expect((await fetch(second.request.url, second.request.init)).status).toBe(200);
  await stop(second);
}, 300_000);
