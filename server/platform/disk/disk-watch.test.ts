import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { DiskWatch } from './disk-watch.ts';
import { type DiskLevel, levelOf, stopBelowBytes } from './levels.ts';
import { placesOf } from './places.ts';
import { readVolumes, type Volume } from './volumes.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-disk-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

describe('the level of a volume', () => {
  const at = (freeMiB: number, before: DiskLevel, freeFiles = Number.POSITIVE_INFINITY) =>
    levelOf({ freeBytes: freeMiB * MIB, totalBytes: 100 * GIB, freeFiles }, before, 100 * MIB);

  test.each([
    [200, 'ok', 'ok'],
    [199, 'ok', 'low'],
    [299, 'low', 'low'],
    [300, 'low', 'ok'],
    [100, 'low', 'low'],
    [99, 'low', 'full'],
    [149, 'full', 'full'],
    [150, 'full', 'low'],
    [299, 'full', 'low'],
    [300, 'full', 'ok'],
    [0, 'ok', 'full'],
  ] as const)(
    'with %i MiB free, of which sessions need 100, changes from %s to: %s',
    (free, before, level) => {
      expect(at(free, before)).toBe(level);
    },
  );

  test('is full when no more files fit, however much space is free', () => {
    expect(at(10_000, 'ok', 999)).toBe('full');
    expect(at(10_000, 'full', 1499)).toBe('full');
    expect(at(10_000, 'full', 1500)).toBe('ok');
  });

  test('stops sessions before Chromium refuses to write: above 1 GiB, or 1 % of a small volume', () => {
    expect(stopBelowBytes(500 * GIB)).toBe(1280 * MIB);
    expect(stopBelowBytes(20 * GIB)).toBeGreaterThan(0.01 * 20 * GIB + 255 * MIB);
    expect(stopBelowBytes(100 * MIB)).toBe(11 * MIB);
  });
});

describe('the volumes of a data directory', () => {
  test('are looked up once for everything on them, whether the directories exist or not', async () => {
    fs.mkdirSync(path.join(place, 'media'));
    const [volume, ...others] = await readVolumes(placesOf({ dataDir: place, databaseUrl: undefined }));
    expect(others).toEqual([]);
    expect(volume).toMatchObject({ path: place, uses: ['profiles', 'media', 'logs', 'database'] });
    const { bavail, bsize } = fs.statfsSync(place);
    expect(Math.abs((volume?.freeBytes ?? 0) - bavail * bsize)).toBeLessThan(GIB);
  });

  test('are several when a part is on another disk, and a separate database is not included', async () => {
    const places = {
      ...placesOf({ dataDir: place, databaseUrl: 'postgres://elsewhere/db' }),
      logs: '/proc/self',
    };
    const found = await readVolumes(places);
    expect(found.map(({ uses }) => uses)).toEqual([['profiles', 'media'], ['logs']]);
  });
});

test('a watch reports each change of a level once, and an unreadable volume keeps its level', async () => {
  let free: number | Error = 1000 * MIB;
  const read = async (): Promise<Volume[]> => {
    if (free instanceof Error) throw free;
    return [
      { path: '/a', uses: ['profiles'], totalBytes: GIB, freeBytes: free, freeFiles: 1e6 },
      { path: '/b', uses: ['media'], totalBytes: GIB, freeBytes: GIB, freeFiles: 1e6 },
    ];
  };
  const watch = new DiskWatch({ places: {}, log: pino({ level: 'silent' }), stopBytes: 100 * MIB, read });
  const seen: DiskLevel[] = [];
  const end = watch.onChange(() => seen.push(watch.level('profiles')));
  for (const next of [1000, 150, 150, 90, 140, 160, 150, 300].map((mib) => mib * MIB)) {
    free = next;
    await watch.look();
  }
  expect(seen).toEqual(['low', 'full', 'low', 'ok']);
  expect(watch.level('media')).toBe('ok');
  expect(watch.level('database')).toBe('ok');
  expect(watch.roomBytes('profiles')).toBe(100 * MIB);
  expect(watch.roomBytes('database')).toBe(Number.POSITIVE_INFINITY);
  free = 0;
  await watch.look();
  free = new Error('the disk does not answer');
  await watch.look();
  expect(watch.level('profiles')).toBe('full');
  end();
  free = GIB;
  await watch.look();
  expect(seen).toEqual(['low', 'full', 'low', 'ok', 'full']);
});
