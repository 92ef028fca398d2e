import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchInProcess } from '#server/testing/media/child.ts';
import { portOf } from '#server/testing/media/internet.ts';
import { setUpLab } from '#server/testing/media/lab.ts';
import { openSpool, spoolDirectory } from './spool.ts';

const FULL = {
  code: 'no_room',
  message:
    'The service has no room for files right now. This is not about your account. Nothing was sent. Retry the request later.',
};
const MIB = 1024 ** 2;
const file = (accountId: string, messageId: string) => ({ accountId, messageId });

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'wirebird-spool-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('the spool', () => {
  test('is a directory for its owner only, created when it is missing', async () => {
    const spool = await openSpool(dataDir);
    expect(spool.directory).toBe(spoolDirectory(dataDir));
    expect((await stat(spool.directory)).mode & 0o777).toBe(0o700);
    await openSpool(dataDir);
  });

  test('is closed to others again if it was open', async () => {
    const { directory } = await openSpool(dataDir);
    await chmod(directory, 0o755);
    await openSpool(dataDir);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  test('has a file for each message and none outside itself', async () => {
    const spool = await openSpool(dataDir);
    expect(spool.pathFor('msg_abcDEF-_09')).toBe(path.join(spool.directory, 'msg_abcDEF-_09'));
    for (const id of ['../x', 'a/b', '..', '.', '', 'a\0b', 'a.part', 'a'.repeat(101)]) {
      expect(() => spool.pathFor(id)).toThrow(TypeError);
      await expect(async () => spool.remove(id)).rejects.toThrow(TypeError);
    }
  });

  test('counts the files of an earlier process, and frees space when a file is removed', async () => {
    const { directory } = await openSpool(dataDir);
    await writeFile(path.join(directory, 'msg_1'), Buffer.alloc(70));
    const spool = await openSpool(dataDir, { budgetBytes: 100 });
    const budget = spool.budgetFor(file('acc_1', 'msg_2'));
    expect(spool.usedBytes()).toBe(70);
    expect(() => budget.take(31)).toThrow(FULL.message);
    budget.take(30);
    budget.give(30);
    await spool.remove('msg_1');
    await spool.remove('msg_1');
    expect(spool.usedBytes()).toBe(0);
    budget.take(100);
    expect(() => budget.take(1)).toThrow(FULL.message);
  });

  test('leaves space for every other account, however many files one of them has waiting', async () => {
    const spool = await openSpool(dataDir);
    const greedy = spool.budgetFor(file('acc_greedy', 'msg_greedy'));
    let taken = 0;
    const takeAll = () => {
      for (;;) {
        greedy.take(MIB);
        taken += 1;
      }
    };
    expect(takeAll).toThrow(
      'Files of your account that wait to be sent take up 256 MB, which is your account’s limit.',
    );
    expect(taken).toBe(256);
    for (let other = 0; other < 30; other++)
      spool.budgetFor(file(`acc_${other}`, `msg_${other}`)).take(16 * MIB);
    greedy.give(200 * MIB);
    greedy.take(MIB);
  });

  test('accepts one file of an account when there is space for only one', async () => {
    const spool = await openSpool(dataDir, { budgetBytes: 20 * MIB });
    const budget = spool.budgetFor(file('acc_1', 'msg_1'));
    budget.take(16 * MIB);
    expect(() => budget.take(1)).toThrow('your account’s limit');
    expect(() => spool.budgetFor(file('acc_2', 'msg_2')).take(5 * MIB)).toThrow(FULL.message);
    spool.budgetFor(file('acc_2', 'msg_2')).take(4 * MIB);
  });

  test('accepts nothing more when the disk is full, whatever its own budget says', async () => {
    let room = 10;
    const spool = await openSpool(dataDir, { roomBytes: () => room });
    const budget = spool.budgetFor(file('acc_1', 'msg_1'));
    budget.take(10);
    room = 0;
    expect(() => budget.take(1)).toThrow(FULL.message);
  });

  test('knows after a restart which account each waiting file belongs to', async () => {
    const { directory } = await openSpool(dataDir);
    await writeFile(path.join(directory, 'msg_1'), Buffer.alloc(70));
    await writeFile(path.join(directory, 'msg_2.7.part'), Buffer.alloc(7));
    const spool = await openSpool(dataDir);
    await spool.sweep(
      new Map([
        ['msg_1', 'acc_1'],
        ['msg_2', 'acc_2'],
      ]),
    );
    expect(['acc_1', 'acc_2', 'acc_3'].map((accountId) => spool.usedBytes(accountId))).toEqual([70, 7, 0]);
    await spool.remove('msg_1');
    expect(spool.usedBytes('acc_1')).toBe(0);
    expect(spool.has('msg_1')).toBe(false);
  });

  test('is cleared of files that no message needs, but never of young ones', async () => {
    const spool = await openSpool(dataDir, { now: () => Date.now() });
    const old = new Date(Date.now() - 11 * 60_000);
    for (const name of ['msg_kept', 'msg_over', 'msg_killed.part']) {
      await writeFile(path.join(spool.directory, name), Buffer.alloc(10));
      await utimes(path.join(spool.directory, name), old, old);
    }
    await writeFile(path.join(spool.directory, 'msg_young'), Buffer.alloc(5));
    await writeFile(path.join(spool.directory, 'msg_coming.7.part'), Buffer.alloc(5));
    expect(await spool.sweep(new Map([['msg_kept', 'acc_1']]))).toBe(2);
    expect((await readdir(spool.directory)).sort()).toEqual(['msg_coming.7.part', 'msg_kept', 'msg_young']);
    expect(spool.usedBytes()).toBe(20);

    // The files of a process that has ended, as they are when the next one starts.
    const next = await openSpool(dataDir, { now: () => Date.now() + 60_000 });
    await writeFile(path.join(next.directory, 'msg_new.part'), '');
    const inAMinute = new Date(Date.now() + 60_000);
    await utimes(path.join(next.directory, 'msg_new.part'), inAMinute, inAMinute);
    const inUse = ['msg_kept', 'msg_coming'].map((id): [string, string] => [id, 'acc_1']);
    expect(await next.sweep(new Map(inUse))).toBe(1);
    expect((await readdir(next.directory)).sort()).toEqual(['msg_coming.7.part', 'msg_kept', 'msg_new.part']);

    const later = await openSpool(dataDir, { now: () => Date.now() + 11 * 60_000 });
    expect(await later.sweep(new Map([['msg_kept', 'acc_1']]))).toBe(2);
    expect(await readdir(later.directory)).toEqual(['msg_kept']);
  });
});

describe('a file that cannot be stored', () => {
  const lab = setUpLab();

  test('because of the budget is refused, and frees its space', async () => {
    const spool = await openSpool(dataDir, { budgetBytes: 150_000 });
    await lab.serve((_request, response) => response.end(Buffer.alloc(100_000)));
    const budget = spool.budgetFor(file('acc_1', 'msg_1'));
    await lab.fetch('http://public.test/', { spoolFile: spool.pathFor('msg_1'), budget });
    expect(spool.usedBytes()).toBe(100_000);
    const refusal = await lab.refusal('http://public.test/', {
      spoolFile: spool.pathFor('msg_2'),
      budget,
    });
    expect(refusal).toEqual(FULL);
    expect(spool.usedBytes()).toBe(100_000);
    expect(await readdir(spool.directory)).toEqual(['msg_1']);
  });

  test('frees its space when it is of another kind or cut off', async () => {
    const spool = await openSpool(dataDir);
    const into = { spoolFile: spool.pathFor('msg_1'), budget: spool.budgetFor(file('acc_1', 'msg_1')) };
    await lab.serve((_request, response) => response.end(Buffer.alloc(1000)));
    await lab.refusal('http://public.test/', { ...into, kind: 'image' });
    await lab.serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx'));
    await lab.refusal('http://public.test/', into);
    expect(spool.usedBytes()).toBe(0);
    expect(await readdir(spool.directory)).toEqual([]);
  });

  test('because the disk is full is refused, and nothing stays on it', async () => {
    const { directory } = await openSpool(dataDir);
    const server = await lab.serve((_request, response) => response.end(Buffer.alloc(10_000_000)));
    const host = `127.0.0.1:${portOf(server)}`;
    const request = {
      url: `http://${host}/`,
      allowHosts: [host],
      ports: [],
      spoolFile: path.join(directory, 'msg_1'),
    };
    const outcome = await fetchInProcess({ ...request, kind: 'document' }, { shell: 'ulimit -f 1000' });
    expect(outcome).toEqual({ ...FULL, details: { sendOutcome: 'not_sent' } });
    expect(await readdir(directory)).toEqual([]);
  });

  test('because its directory is missing is refused', async () => {
    await lab.serve((_request, response) => response.end('x'));
    const spoolFile = path.join(dataDir, 'gone', 'msg_1');
    expect(await lab.refusal('http://public.test/', { spoolFile })).toEqual(FULL);
  });
});
