import { expect, test } from 'vitest';
import { changeRole, removePerson } from '#server/people/people.ts';
import { insertMember } from '#server/people/queries/members.ts';
import { endSignIn } from '#server/people/sign-in.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, signedIn } from '#server/testing/domain.ts';
import { download } from './file-answer.ts';

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
  const [forOwners, forMembers] = [endless(), endless()];
  const reader = { database, signInId, accountId };
  const read = readToEnd(download(forOwners.file, { ...reader, ownersOnly: true }));
  const short = readToEnd(download(forMembers.file, reader, 3000));
  await changeRole({ database, accountId, actor: CLI }, { userId, role: 'member' });
  await expect(read).rejects.toThrow('its reader lost access');
  expect(forOwners.isStopped()).toBe(true);
  await expect(short).rejects.toThrow('it took too long');
});

test.each([
  ['somebody stops being the administrator', (of: Member) => dismiss(of)],
  ['the administrator signs out', (of: Member) => endSignIn({ database, ...of, actor: CLI }, of)],
])('a download of the administrator breaks when %s', async (_, loseAccess) => {
  const { accountId, userId } = await makeAccount(database, 0);
  await database.sql`update users set admin = true where id = ${userId}`;
  const { signInId } = await signedIn(database, { userId });
  const { file, isStopped } = endless();
  const read = readToEnd(download(file, { database, signInId, accountId: null }));
  const short = readToEnd(download(endless().file, { database, signInId, accountId: null }, 1500));
  // It outlives several checks of a sign-in that holds.
  await expect(short).rejects.toThrow('it took too long');
  expect(isStopped()).toBe(false);
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
