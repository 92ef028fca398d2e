import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '#worker/testing/sandbox.ts';
import { MediaFiles } from './media-files.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

test('files are found by their SHA-256, also after a restart', () => {
  const bytes = crypto.randomBytes(1000);
  const { sha256 } = new MediaFiles(directory).put(bytes);
  expect(sha256).toBe(crypto.createHash('sha256').update(bytes).digest('hex'));
  expect(new MediaFiles(directory).read(sha256)).toEqual(bytes);
});

test('all files together stay within the limit: the oldest are deleted first', () => {
  const files = new MediaFiles(directory, 2500);
  const [first, second, third] = [1, 2, 3].map((fill) => files.put(Buffer.alloc(1000, fill)).sha256);
  expect([first, second, third].map((sha256) => files.size(sha256 ?? ''))).toEqual([undefined, 1000, 1000]);
  expect(files.read(first ?? '')).toBeNull();
  expect(fs.readdirSync(directory).sort()).toEqual([second, third].sort());
});

test('a file half written in a crash is deleted at the next start', () => {
  fs.writeFileSync(path.join(directory, `${'a'.repeat(64)}.new`), 'half');
  const files = new MediaFiles(directory);
  expect(files.size('a'.repeat(64))).toBeUndefined();
  expect(fs.readdirSync(directory)).toEqual([]);
});
