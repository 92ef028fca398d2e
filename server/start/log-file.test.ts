import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-log-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

test('a log keeps the newest lines and never takes more than twice its size', () => {
  const file = path.join(place, 'bounded.log');
  const log = openLogFile(file, 1000);
  for (let n = 0; n < 500; n++) log.write(`line ${n}`);
  log.close();
  const sizes = fs.readdirSync(place).map((name) => fs.statSync(path.join(place, name)).size);
  expect(fs.readdirSync(place).sort()).toEqual(['bounded.log', 'bounded.log.1']);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
  expect(fs.readFileSync(file, 'utf8').trim().split('\n').at(-1)).toBe('line 499');
});

test('a log goes on where the last start ended, readable by its owner alone', () => {
  const file = path.join(place, 'continued.log');
  for (const line of ['first', 'second']) {
    const log = openLogFile(file);
    log.write(line);
    log.close();
  }
  expect(fs.readFileSync(file, 'utf8')).toBe('first\nsecond\n');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test('what comes after the end is lost, and in no other file', () => {
  const log = openLogFile(path.join(place, 'closed.log'));
  log.close();
  const other = path.join(place, 'other.log');
  const next = openLogFile(other);
  log.write('after the end');
  log.close();
  next.write('in time');
  next.close();
  expect(fs.readFileSync(other, 'utf8')).toBe('in time\n');
});

test('a full disk costs lines, not the process that logs', () => {
  const log = openLogFile('/dev/full');
  expect(() => log.write('lost')).not.toThrow();
  log.close();
});
