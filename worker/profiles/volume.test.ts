import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { volumeIdOf } from './volume.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-volume-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

test('a volume has one id, for every process and every read, and another volume has another', () => {
  const one = path.join(place, 'one');
  const id = volumeIdOf(one);
  expect(id).toMatch(/^vol_\w+$/);
  expect(volumeIdOf(one)).toBe(id);
  expect(volumeIdOf(path.join(place, 'two'))).not.toBe(id);
  expect(fs.statSync(path.join(one, 'profiles')).mode & 0o777).toBe(0o700);
  expect(fs.statSync(path.join(one, 'profiles', 'volume-id')).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(path.join(one, 'profiles'))).toEqual(['volume-id']);
});

test('a damaged id is refused, not replaced: the sessions next to it would belong to nobody', () => {
  const damaged = path.join(place, 'damaged');
  volumeIdOf(damaged);
  fs.writeFileSync(path.join(damaged, 'profiles', 'volume-id'), '');
  expect(() => volumeIdOf(damaged)).toThrow(/volume-id is damaged/);
});
