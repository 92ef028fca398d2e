import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '#worker/testing/sandbox.ts';
import { openJournal, readJournal } from './journal.ts';
import { Store } from './store.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = temporaryDirectory();
  file = path.join(directory, 'journal.jsonl');
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

const device = (id: string) => ({ id, phone: '491700000001', token: `token-${id}`, linkedAt: 1 });

test('stored entries return after a restart in their order, and deleted ones do not', () => {
  const store = new Store(file);
  for (const id of ['c', 'a', 'b']) store.put('device', id, device(id));
  store.put('device', 'c', { ...device('c'), token: 'renewed' });
  store.delete('device', 'a');
  // Not closed, as after a kill -9.
  const again = new Store(file);
  expect(again.list('device')).toEqual([{ ...device('c'), token: 'renewed' }, device('b')]);
  again.close();
  store.close();
});

test('a line damaged by a crash loses only itself', () => {
  const journal = openJournal(file);
  journal.append(['device', 'a', device('a')]);
  journal.close();
  fs.appendFileSync(file, '\n["device","b",{"id":"b","pho');
  const store = new Store(file);
  store.put('device', 'c', device('c'));
  store.close();
  const again = new Store(file);
  expect(again.keys('device')).toEqual(['a', 'c']);
  again.close();
});

test('the journal stays close to the size of the current entries, for any number of changes', () => {
  const store = new Store(file);
  for (let i = 0; i < 50_000; i++) store.put('unregistered', '491700000002', true);
  expect(store.lines).toBeLessThan(21_000);
  store.close();
  const again = new Store(file);
  again.close();
  expect(readJournal(file)).toEqual([['unregistered', '491700000002', true]]);
});

test('the journal is readable by its user only', () => {
  new Store(file).close();
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});
