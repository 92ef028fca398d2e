import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isWorkerAlive } from '#server/operations/queries/operator.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { controlFilePath } from '#server/sandbox/control-file.ts';
import { childEnvironment } from '#server/settings.ts';
import { printedValue, runCli } from '#server/testing/cli.ts';
import { ResidentCli } from '#server/testing/cli-resident.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, IN_A_MONTH, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { lendBrowser } from '#worker/testing/engine-browser.ts';

// Each command runs as a separate process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let env: Record<string, string | undefined>;
let resident: ResidentCli;
const parts: ChildProcess[] = [];

/** The sandbox and a worker with its browsers, as the product runs them. */
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-link-'));
  await lendBrowser(dataDir);
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, SANDBOX: 'on' };
  resident = new ResidentCli(env);
  startPart('worker/sandbox/main.ts');
  await eventually(() => existsSync(controlFilePath(dataDir)));
  startPart('worker/main.ts');
  await eventually(() => isWorkerAlive(database.db));
});
afterAll(async () => {
  await resident.end();
  for (const part of parts.reverse()) {
    if (part.exitCode !== null || part.signalCode !== null) continue;
    part.kill('SIGTERM');
    await once(part, 'exit');
  }
  await stopClientBoss();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function startPart(entry: string): void {
  const file = path.join(import.meta.dirname, '../..', entry);
  parts.push(spawn(nodePath, [file], { env: childEnvironment(env), stdio: ['ignore', 'ignore', 'inherit'] }));
}

const eventually = (check: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await check()).toBe(true), { timeout: 50_000, interval: 100 });

const cli = async <T = Record<string, unknown>>(...args: string[]) =>
  printedValue<T>(await resident.run(args));

test('a sandbox number is linked by its virtual phone, shows the phone’s content, and follows its actions', async () => {
  const { accountId } = await makeAccount(database, 0);
  const instance = await makeNumber(database, { accountId });
  const link = ['number', 'link', '--instance', instance];
  expect(await runCli(link, { ...env, TRIAL: 'off' })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Linking a sandbox phone needs a plan'),
  });
  await activatePlan({ database, accountId, actor: CLI }, { numbersIncluded: 2, paidUntil: IN_A_MONTH });
  expect(await cli<unknown[]>('sandbox', 'inbox', '--instance', instance)).toEqual([]);
  expect(await resident.run(['whatsapp', 'check', '--instance', instance])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The number is UNLINKED.'),
  });

  const linked = await cli(...link);
  expect(linked).toEqual({
    instance,
    phoneNumber: expect.stringMatching(/^999\d{9}$/),
    status: 'CONNECTED',
  });
  expect(await cli(...link)).toEqual(linked);

  const check = async () => (await resident.run(['whatsapp', 'check', '--instance', instance])).stdout;
  // The page knows its groups soon after it is linked.
  await expect.poll(check).toContain('ok    group');
  expect((await check()).split('\n')).toEqual([
    expect.stringMatching(/^WhatsApp Web build 2\.3000\.\d+$/),
    ...Array(12).fill(expect.stringMatching(/^ok {4}[a-z]+ +[a-z]/)),
    expect.stringContaining('Its reasons are visible'),
    'Everything works.',
    '',
  ]);
  const report = await cli<{ check: object; modules?: object }>('whatsapp', 'report', '--instance', instance);
  expect(report).toMatchObject({
    instance,
    status: 'CONNECTED',
    build: { verdict: 'passed', comms: 'page', kinds: { text: 'tested', image: 'tested' } },
    check: { rows: expect.any(Array), modules: { WAComms: expect.stringContaining('sendPing()') } },
    states: expect.arrayContaining([expect.objectContaining({ status: 'CONNECTED' })]),
    outcomes: [],
  });
  expect(JSON.stringify(report)).not.toContain(String(linked.phoneNumber));

  const rule = ['sandbox', 'rule', '--instance', instance, '--stage', 'wire', '--action', 'refuse'];
  expect(await cli(...rule, '--times', '2')).toMatchObject({
    stage: 'wire',
    action: 'refuse',
    times: 2,
    left: 2,
  });
  expect(await resident.run([...rule.slice(0, -3), 'call', '--action', 'refuse'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('refuse works at stage wire only'),
  });
  expect(await cli('sandbox', 'samples')).toEqual({
    image: expect.stringMatching(/^http:.*\.jpg$/),
    document: expect.stringMatching(/^http:.*\.pdf$/),
    audio: expect.stringMatching(/^http:.*\.mp3$/),
    imagePng: expect.stringMatching(/^http:.*\.png$/),
    audioOgg: expect.stringMatching(/^http:.*\.ogg$/),
  });

  expect(await cli('sandbox', 'phone', '--instance', instance, '--do', 'unlink')).toMatchObject({ instance });
  await eventually(async () => {
    const [row] = await database.sql`select status, intent from numbers where id = ${instance}`;
    return row?.status === 'LOGGED_OUT' && row.intent === 'idle';
  });
  expect(await cli(...link)).toEqual(linked);
});

test('a phone that cannot be linked is refused with the reason, and an unlinked number can be linked again', async () => {
  const { accountId } = await makeAccount(database, 2);
  const [first, second] = [
    await makeNumber(database, { accountId }),
    await makeNumber(database, { accountId }),
  ];
  const phone = '999111222333';
  const linked = { instance: first, phoneNumber: phone, status: 'CONNECTED' };
  expect(await cli('number', 'link', '--instance', first, '--phone', phone)).toEqual(linked);
  expect(await resident.run(['number', 'link', '--instance', second, '--phone', phone])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Linking ended\. The number is [A-Z_]+\. .* linked to another number on this server.*\n$/,
    ),
  });
  expect(await cli('number', 'unlink', '--instance', first)).toMatchObject({
    instance: first,
    phoneNumber: phone,
    status: 'UNLINKED',
  });
  const [row] = await database.sql`select intent from numbers where id = ${first}`;
  expect(row).toEqual({ intent: 'idle' });
  expect(await cli('number', 'link', '--instance', first)).toEqual(linked);
  expect(await cli('number', 'remove', '--instance', first)).toMatchObject({ removed: true });
  expect(await cli('number', 'link', '--instance', second)).toEqual({ ...linked, instance: second });
});
