import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { profilePath } from '../engine/profile.ts';
import { packSnapshot, unpackSnapshot } from './snapshot.ts';

let engine: TemporaryEngine;
beforeAll(async () => {
  engine = await temporaryEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

test('a session continues from its snapshot in another profile, in real Chromium, without a code', async () => {
  const first = await engine.link('num_first', '491700000061');
  await first.session.stop();
  const snapshot = await packSnapshot(first.profileDir, 'num_first');
  if (!snapshot) throw new Error('no snapshot');
  const moved = engine.open('num_moved');
  await unpackSnapshot(moved.profileDir, 'num_first', snapshot);
  await moved.session.start();
  await moved.events.untilState('ready');
  expect(moved.events.qrs).toEqual([]);
  await moved.session.stop();
});

test('a snapshot reveals nothing of the session, and opens for no other number or version', async () => {
  const profileDir = profilePath(engine.dataDir, 'num_made');
  const file = path.join(profileDir, 'session/Default/IndexedDB/keys.bin');
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, 'the keys of the session');
  const snapshot = await packSnapshot(profileDir, 'num_made');
  if (!snapshot) throw new Error('no snapshot');
  expect(snapshot.sealed.includes('keys')).toBe(false);
  const empty = profilePath(engine.dataDir, 'num_empty');
  await expect(unpackSnapshot(empty, 'num_other', snapshot)).rejects.toThrow();
  await expect(unpackSnapshot(empty, 'num_made', { ...snapshot, version: 2 })).rejects.toThrow('version 2');
  const changed = Buffer.from(snapshot.sealed);
  changed[40] = (changed[40] ?? 0) ^ 1;
  await expect(unpackSnapshot(empty, 'num_made', { version: 1, sealed: changed })).rejects.toThrow();
  await unpackSnapshot(empty, 'num_made', snapshot);
  expect(await fs.readFile(path.join(empty, 'session/Default/IndexedDB/keys.bin'), 'utf8')).toBe(
    'the keys of the session',
  );
});
