import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSpool, spoolDirectory } from './spool.ts';
import { fetchInProcess } from './testing/child.ts';
import { portOf } from './testing/internet.ts';
import { setUpLab } from './testing/lab.ts';

const FULL = {
  code: 'send_failed',
  message:
    'The file could not be stored because the service has no room for media right now. Nothing was sent; ' +
    'repeat the request in a few minutes.',
};

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'wirebird-spool-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('the spool', () => {
  test('is a directory for its owner only, made when it is missing', async () => {
    const spool = await openSpool(dataDir);
    expect(spool.directory).toBe(spoolDirectory(dataDir));
    expect((await stat(spool.directory)).mode & 0o777).toBe(0o700);
    await openSpool(dataDir);
  });

  test('is closed to others again when it was open', async () => {
    const { directory } = await openSpool(dataDir);
    await chmod(directory, 0o755);
    await openSpool(dataDir);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  test('has a file for each message and none outside of itself', async () => {
    const spool = await openSpool(dataDir);
    expect(spool.pathFor('msg_abcDEF-_09')).toBe(path.join(spool.directory, 'msg_abcDEF-_09'));
    for (const id of ['../x', 'a/b', '..', '.', '', 'a\0b', 'a.part', 'a'.repeat(101)]) {
      expect(() => spool.pathFor(id)).toThrow(TypeError);
      await expect(async () => spool.remove(id)).rejects.toThrow(TypeError);
    }
  });

  test('counts what a process before it left, and gives room back when a file is removed', async () => {
    const { directory } = await openSpool(dataDir);
    await writeFile(path.join(directory, 'msg_1'), Buffer.alloc(70));
    const spool = await openSpool(dataDir, { budgetBytes: 100 });
    expect(spool.usedBytes()).toBe(70);
    expect(() => spool.take(31)).toThrow(FULL.message);
    spool.take(30);
    spool.give(30);
    await spool.remove('msg_1');
    await spool.remove('msg_1');
    expect(spool.usedBytes()).toBe(0);
    spool.take(100);
    expect(() => spool.take(1)).toThrow(FULL.message);
  });

  test('is swept of files that no message needs, but never of young ones', async () => {
    const spool = await openSpool(dataDir, { now: () => Date.now() });
    const old = new Date(Date.now() - 11 * 60_000);
    for (const name of ['msg_kept', 'msg_over', 'msg_killed.part']) {
      await writeFile(path.join(spool.directory, name), Buffer.alloc(10));
      await utimes(path.join(spool.directory, name), old, old);
    }
    await writeFile(path.join(spool.directory, 'msg_young'), Buffer.alloc(5));
    await writeFile(path.join(spool.directory, 'msg_coming.part'), Buffer.alloc(5));
    expect(await spool.sweep(new Set(['msg_kept']))).toBe(2);
    expect((await readdir(spool.directory)).sort()).toEqual(['msg_coming.part', 'msg_kept', 'msg_young']);
    expect(spool.usedBytes()).toBe(20);

    const later = await openSpool(dataDir, { now: () => Date.now() + 11 * 60_000 });
    expect(await later.sweep(new Set(['msg_kept']))).toBe(2);
    expect(await readdir(later.directory)).toEqual(['msg_kept']);
  });
});

describe('a file that cannot be stored', () => {
  const lab = setUpLab();

  test('for want of budget is refused, with its room given back', async () => {
    const spool = await openSpool(dataDir, { budgetBytes: 150_000 });
    await lab.serve((_request, response) => response.end(Buffer.alloc(100_000)));
    await lab.fetch('http://public.test/', { spoolFile: spool.pathFor('msg_1'), budget: spool });
    expect(spool.usedBytes()).toBe(100_000);
    const refusal = await lab.refusal('http://public.test/', {
      spoolFile: spool.pathFor('msg_2'),
      budget: spool,
    });
    expect(refusal).toEqual(FULL);
    expect(spool.usedBytes()).toBe(100_000);
    expect(await readdir(spool.directory)).toEqual(['msg_1']);
  });

  test('gives its room back when it is of another kind, or cut off', async () => {
    const spool = await openSpool(dataDir);
    const into = { spoolFile: spool.pathFor('msg_1'), budget: spool };
    await lab.serve((_request, response) => response.end(Buffer.alloc(1000)));
    await lab.refusal('http://public.test/', { ...into, kind: 'image' });
    await lab.serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx'));
    await lab.refusal('http://public.test/', into);
    expect(spool.usedBytes()).toBe(0);
    expect(await readdir(spool.directory)).toEqual([]);
  });

  test('because the disk takes no more is refused, and nothing stays on it', async () => {
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

  test('because its directory is gone is refused', async () => {
    await lab.serve((_request, response) => response.end('x'));
    const spoolFile = path.join(dataDir, 'gone', 'msg_1');
    expect(await lab.refusal('http://public.test/', { spoolFile })).toEqual(FULL);
  });
});
