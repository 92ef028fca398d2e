import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNewFile } from './write-new-file.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-new-file-'));
});
afterAll(async () => {
  await chmod(path.join(directory, 'unreadable'), 0o700);
  await rm(directory, { recursive: true });
});

const PART = Buffer.from('part');

async function* parts(count: number, then?: Error) {
  for (let n = 0; n < count; n++) yield PART;
  if (then) throw then;
}

test('a new file has all parts, and only its owner may read it', async () => {
  const file = path.join(directory, 'whole');
  await writeNewFile(file, parts(3));
  expect(await readFile(file, 'utf8')).toBe('partpartpart');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a file that cannot be completed is removed, so that the command can run again', async () => {
  const file = path.join(directory, 'half');
  await expect(writeNewFile(file, parts(3, new Error('the database was lost')))).rejects.toThrow('was lost');
  expect(await readdir(directory)).not.toContain('half');
  await writeNewFile(file, parts(1));
  expect(await readFile(file, 'utf8')).toBe('part');
});

test('a file in a directory that may not be read is written', async () => {
  const unreadable = path.join(directory, 'unreadable');
  await mkdir(unreadable, { mode: 0o300 });
  const file = path.join(unreadable, 'whole');
  await writeNewFile(file, parts(2));
  expect(await readFile(file, 'utf8')).toBe('partpart');
});

test('a file in a directory that does not exist is refused with what to do', async () => {
  const file = path.join(directory, 'none', 'whole');
  await expect(writeNewFile(file, parts(1))).rejects.toThrow(
    `${file} cannot be written. Choose a directory that exists and that Wirebird’s user can write to.`,
  );
});

test('a disk that fills up is named as such', async () => {
  const file = path.join(directory, 'full');
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
  await expect(writeNewFile(file, parts(3, full))).rejects.toThrow(
    `${file} cannot be written. There is not enough room for it. Make room, or choose a file on another disk.`,
  );
  expect(await readdir(directory)).not.toContain('full');
});

test('an existing file is neither overwritten nor removed', async () => {
  const file = path.join(directory, 'earlier');
  await writeFile(file, 'earlier');
  await expect(writeNewFile(file, parts(1))).rejects.toThrow(`${file} already exists. Choose another file.`);
  expect(await readFile(file, 'utf8')).toBe('earlier');
});
