import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodePath } from '#server/platform/process/node.ts';
import { openLogFile } from './log-file.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-log-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

test('a log keeps the newest lines and never exceeds twice its size', () => {
  const file = path.join(place, 'bounded.log');
  const log = openLogFile(file, 1000);
  for (let n = 0; n < 500; n++) log.write(`line ${n}`);
  log.close();
  const sizes = fs.readdirSync(place).map((name) => fs.statSync(path.join(place, name)).size);
  expect(fs.readdirSync(place).sort()).toEqual(['bounded.log', 'bounded.log.1']);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
  expect(fs.readFileSync(file, 'utf8').trim().split('\n').at(-1)).toBe('line 499');
});

test('a log continues where the last start ended, readable only by its owner', () => {
  const file = path.join(place, 'continued.log');
  for (const line of ['first', 'second']) {
    const log = openLogFile(file);
    log.write(line);
    log.close();
  }
  expect(fs.readFileSync(file, 'utf8')).toBe('first\nsecond\n');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test('half a line left by a crash is cut off, and the next line starts in its place', () => {
  const file = path.join(place, 'crashed.log');
  fs.writeFileSync(file, 'whole\nhal');
  const log = openLogFile(file);
  log.write('next');
  log.close();
  expect(fs.readFileSync(file, 'utf8')).toBe('whole\nnext\n');
});

test('output after the end is dropped, and goes into no other file', () => {
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

test('a failed rotation drops lines, puts none into another file, and is repeated later', () => {
  const directory = path.join(place, 'rotated');
  fs.mkdirSync(directory);
  const file = path.join(directory, 'part.log');
  const log = openLogFile(file, 100);
  log.write('a'.repeat(80));
  // The first attempt cannot rename the log, the second renames it and cannot open the next one.
  fs.mkdirSync(`${file}.1`);
  log.write('b'.repeat(80));
  fs.rmdirSync(`${file}.1`);
  fs.renameSync(file, `${file}.1`);
  fs.mkdirSync(file);
  fs.mkdirSync(path.join(file, 'in the way'));
  const others = [1, 2, 3].map((n) => openLogFile(path.join(directory, `other-${n}.log`)));
  log.write('c'.repeat(80));
  fs.rmSync(file, { recursive: true });
  log.write('d'.repeat(80));
  for (const one of [log, ...others]) one.close();
  expect(fs.readFileSync(`${file}.1`, 'utf8')).toBe(`${'a'.repeat(80)}\n`);
  expect(fs.readFileSync(file, 'utf8')).toBe(`${'d'.repeat(80)}\n`);
  for (const n of [1, 2, 3]) expect(fs.readFileSync(path.join(directory, `other-${n}.log`), 'utf8')).toBe('');
});

test.skipIf(process.platform === 'win32')(
  'where the disk ends in the middle of a line, the line is absent',
  () => {
    const file = path.join(place, 'short.log');
    const script = `
    import { openLogFile } from ${JSON.stringify(path.join(import.meta.dirname, 'log-file.ts'))};
    const log = openLogFile(${JSON.stringify(file)});
    for (const letter of 'abc') log.write(letter.repeat(400));
    log.write('short');
    log.close();`;
    // The system lets a file grow to one block of 1,024 bytes: the third line fits in part, as on a full disk.
    const limited = 'ulimit -f 1; exec "$0" --input-type=module-typescript -e "$1"';
    execFileSync('bash', ['-c', limited, nodePath, script]);
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    expect(lines).toEqual(['a'.repeat(400), 'b'.repeat(400), 'short', '']);
  },
);

test('a full disk drops lines, and the logging process continues', () => {
  const log = openLogFile('/dev/full');
  expect(() => log.write('lost')).not.toThrow();
  log.close();
});
