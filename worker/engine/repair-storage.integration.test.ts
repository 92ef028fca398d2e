import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { userDataDir } from './profile.ts';
import { endOfRecords, repairStorage } from './repair-storage.ts';

let engine: TemporaryEngine;
beforeAll(async () => {
  engine = await temporaryEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

/** The path of the log that Chromium has written for the page's database. */
async function logOf(profileDir: string): Promise<string> {
  const root = path.join(userDataDir(profileDir), 'Default/IndexedDB');
  const names = await fs.readdir(root, { recursive: true });
  const name = names.find((one) => one.endsWith('.log'));
  if (!name) throw new Error('there is no log');
  return path.join(root, name);
}

test('a link survives a record that a full disk cut off, also at the second start', async () => {
  const first = await engine.link('num_torn', '491700000071');
  await first.session.stop();
  const log = await logOf(first.profileDir);
  const content = await fs.readFile(log);
  expect(endOfRecords(content)).toBe(content.length);
  // The start of a record that a full disk truncated.
  await fs.appendFile(log, content.subarray(0, 20));
  for (let start = 0; start < 3; start++) {
    const next = engine.open('num_torn');
    await next.session.start();
    await next.events.untilState('ready');
    expect(next.events.qrs).toEqual([]);
    await next.session.stop();
  }
});

test('only an incomplete end is cut, and other damage stays unchanged', async () => {
  const { session, profileDir } = await engine.link('num_cut', '491700000072');
  await session.stop();
  expect(await repairStorage(profileDir)).toBe(0);
  const log = await logOf(profileDir);
  const content = await fs.readFile(log);
  for (const rest of [1, 6, 7, 20]) {
    await fs.writeFile(log, Buffer.concat([content, content.subarray(0, rest)]));
    expect(await repairStorage(profileDir)).toBe(1);
    expect(await fs.readFile(log)).toEqual(content);
  }
  const damaged = Buffer.concat([content, content.subarray(0, 20), content]);
  await fs.writeFile(log, damaged);
  expect(await repairStorage(profileDir)).toBe(0);
  expect(await fs.readFile(log)).toEqual(damaged);
});
