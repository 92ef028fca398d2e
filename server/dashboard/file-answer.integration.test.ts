import { expect, test, vi } from 'vitest';
import { changeRole, removePerson } from '#server/people/people.ts';
import { insertMember } from '#server/people/queries/members.ts';
import { endSignIn } from '#server/people/sign-in.ts';
import { answerIn } from '#server/platform/answer-in-turns.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, signedIn } from '#server/testing/domain.ts';
import { download, downloadCsv, endIfLeft } from './file-answer.ts';

const database = testDatabase();

/** A file without an end. */
function endless() {
  let stopped = false;
  const parts = (async function* () {
    try {
      for (;;) yield new Uint8Array(1024);
    } finally {
      stopped = true;
    }
  })();
  return { file: { parts, type: 'text/csv', fileName: 'endless.csv' }, isStopped: () => stopped };
}

async function readToEnd(answer: Response): Promise<number> {
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    // A network is slower than memory: other events get their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return bytes;
}

interface Member {
  accountId: string;
  userId: string;
  signInId: string;
}

test.each([
  ['a member is removed', (of: Member) => removePerson({ database, ...of, actor: CLI }, of)],
  ['the reader signs out', (of: Member) => endSignIn({ database, ...of, actor: CLI }, of)],
])('a download breaks when %s, and reads nothing more', async (_, loseAccess) => {
  const { accountId } = await makeAccount(database, 0);
  const { userId } = await makeAccount(database, 0);
  await insertMember(database.db, { accountId, userId, role: 'member' });
  const { signInId } = await signedIn(database, { userId });
  const { file, isStopped } = endless();
  const read = readToEnd(download(file, { database, signInId, accountId }));
  await loseAccess({ accountId, userId, signInId });
  await expect(read).rejects.toThrow('its reader lost access');
  expect(isStopped()).toBe(true);
});

test('a download for owners breaks when its reader is one no longer; a member’s download continues', async () => {
  const { accountId } = await makeAccount(database, 0);
  const { userId } = await makeAccount(database, 0);
  await insertMember(database.db, { accountId, userId, role: 'owner' });
  const { signInId } = await signedIn(database, { userId });
  const reader = { database, signInId, accountId };
  const become = (role: 'owner' | 'member') =>
    changeRole({ database, accountId, actor: CLI }, { userId, role });
  const forMembers = readToEnd(download(endless().file, reader, 3000));
  await become('member');
  await expect(forMembers).rejects.toThrow('it took too long');
  await become('owner');
  const forOwners = endless();
  const read = readToEnd(download(forOwners.file, { ...reader, ownersOnly: true }));
  await become('member');
  await expect(read).rejects.toThrow('its reader lost access');
  expect(forOwners.isStopped()).toBe(true);
});

test.each([
  ['somebody stops being the administrator', (of: Member) => dismiss(of)],
  ['the administrator signs out', (of: Member) => endSignIn({ database, ...of, actor: CLI }, of)],
])('a download of the administrator breaks when %s', async (_, loseAccess) => {
  const { accountId, userId } = await makeAccount(database, 0);
  await database.sql`update users set admin = true where id = ${userId}`;
  const { signInId } = await signedIn(database, { userId });
  const short = readToEnd(download(endless().file, { database, signInId, accountId: null }, 1500));
  // It outlives several checks of a sign-in that holds.
  await expect(short).rejects.toThrow('it took too long');
  const { file, isStopped } = endless();
  const read = readToEnd(download(file, { database, signInId, accountId: null }));
  await loseAccess({ accountId, userId, signInId });
  await expect(read).rejects.toThrow('its reader lost access');
  expect(isStopped()).toBe(true);
});

const dismiss = ({ userId }: Member) => database.sql`update users set admin = false where id = ${userId}`;

test('a download that takes too long breaks', async () => {
  const { accountId, userId } = await makeAccount(database, 0);
  const { signInId } = await signedIn(database, { userId });
  const { file, isStopped } = endless();
  await expect(readToEnd(download(file, { database, signInId, accountId }, 50))).rejects.toThrow(
    'it took too long',
  );
  expect(isStopped()).toBe(true);
});

test('a CSV file comes in parts of 64 KB, each in its turn', async () => {
  const { accountId, userId } = await makeAccount(database, 0);
  const { signInId } = await signedIn(database, { userId });
  const turns: string[] = [];
  const place = {
    again: async () => void turns.push('begun'),
    rest: () => void turns.push('rested'),
  };
  const lines = (async function* () {
    for (let n = 0; n < 20_000; n++) yield `${n},a line of a list\r\n`;
  })();
  const answer = answerIn(place, () => downloadCsv('lines', lines, { database, signInId, accountId }));
  const sizes: number[] = [];
  for await (const part of answer.body ?? []) sizes.push(part.length);
  expect(sizes.slice(0, -1).every((size) => size >= 65_536 && size < 66_000)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(
    Array.from({ length: 20_000 }, (_, n) => `${n},a line of a list\r\n`).join('').length,
  );
  expect(turns).toEqual(Array.from({ length: sizes.length + 1 }, () => ['begun', 'rested']).flat());
});

test('an account downloads one file at a time', async () => {
  const { accountId, userId } = await makeAccount(database, 0);
  const reader = { database, accountId, ...(await signedIn(database, { userId })) };
  const other = await makeAccount(database, 0);
  const first = endless();
  const answer = download(first.file, reader);
  expect(() => download(endless().file, reader)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  const { signInId } = await signedIn(database, other);
  await download(endless().file, { database, accountId: other.accountId, signInId }).body?.cancel();
  await answer.body?.cancel();
  const next = await vi.waitFor(() => download(endless().file, reader));
  expect(first.isStopped()).toBe(true);
  await next.body?.cancel();
});

test('a download whose reader left before it began is ended', async () => {
  const { accountId, userId } = await makeAccount(database);
  const reader = { database, accountId, ...(await signedIn(database, { userId })) };
  const ended = Promise.withResolvers<boolean>();
  const part = async () => ({ done: false as const, value: new Uint8Array(1024) });
  const end = async () => {
    ended.resolve(true);
    return { done: true as const, value: undefined };
  };
  const parts = { [Symbol.asyncIterator]: () => ({ next: part, return: end, throw: end }) };
  const file = { parts, type: 'text/csv', fileName: 'endless.csv' };
  await endIfLeft(download(file, reader), AbortSignal.abort());
  expect(await ended.promise).toBe(true);
});
