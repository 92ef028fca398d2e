import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { log } from '#server/platform/log.ts';
import { openSpool } from '#server/platform/media/spool.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { MediaDownloads } from './dispatch/media-downloads.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-downloads-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

/**
 * Downloads a message's file, after which `then` happens to the message. Each attempt to record the file does `attempt` in
 * the database.
 */
async function download({ attempt = '', then = '' }) {
  const account = await makeAccount(database);
  const number = { ...account, numberId: await makeNumber(database, account) };
  const holding = await linkAsWorker(database, number);
  const content = { type: 'image', url: 'https://example.com/a.png' } as const;
  const id = await queueMessage(database, { ...number, content });
  await database.sql`update messages set media_status = 'pending' where id = ${id}`;
  await database.sql.unsafe(`
    create sequence tries;
    create function record() returns trigger language plpgsql as $$ declare attempt int := nextval('tries');
      begin ${attempt} return new; end $$;
    create trigger record before update on messages for each row when (new.media_status = 'ready') execute function record()`);
  const spool = await openSpool(directory);
  const file = spool.pathFor(id);
  const media = new MediaDownloads({
    ...{ database, log, spool },
    async fetch() {
      await writeFile(file, '1');
      await database.sql.unsafe(then);
      return { spoolFile: file, mimeType: 'image/png', extension: 'png', bytes: 1, sha256: 'a'.repeat(64) };
    },
  });
  await media.fetchPending(holding, { ready: () => {}, isOver: () => false });
  await vi.waitFor(() => expect(media.fetching()).toEqual([]), { timeout: 30_000 });
  await database.sql.unsafe('drop function record cascade; drop sequence tries');
  const [row] = await database.sql`select status, media_status as media from messages where id = ${id}`;
  return { ...row, kept: existsSync(file) };
}

const LOSE_FIRST = 'if attempt = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;';

test('a message whose file was downloaded does not fail because a connection to the database is lost', async () => {
  expect(await download({ attempt: LOSE_FIRST })).toEqual({ status: 'queued', media: 'ready', kept: true });
});

test('its file stays if it may have been recorded before the connection was lost', async () => {
  // The second attempt finds nothing to change, as after a commit whose answer was lost.
  const second = 'if attempt = 2 then return null; end if;';
  expect(await download({ attempt: LOSE_FIRST + second })).toMatchObject({ status: 'queued', kept: true });
});

test('a worker that has lost the lease meanwhile leaves the file to another one on its volume', async () => {
  const then = 'update leases set fence = fence + 1';
  expect(await download({ then })).toEqual({ status: 'queued', media: 'pending', kept: true });
});

test('no download begins for a number that is being handed over, also if its messages were being read', async () => {
  const account = await makeAccount(database);
  const number = { ...account, numberId: await makeNumber(database, account) };
  const holding = await linkAsWorker(database, number);
  const content = { type: 'image', url: 'https://example.com/a.png' } as const;
  const id = await queueMessage(database, { ...number, content });
  await database.sql`update messages set media_status = 'pending' where id = ${id}`;
  const fetch = vi.fn(() => Promise.reject(new Error('nothing is fetched')));
  const media = new MediaDownloads({ database, log, spool: await openSpool(directory), fetch });
  let left = false;
  const asked = media.fetchPending(holding, { ready: () => {}, isOver: () => left });
  left = true;
  media.leave(number.numberId);
  await asked;
  expect(fetch).not.toHaveBeenCalled();
});

test('the file of a message that was cancelled meanwhile is removed', async () => {
  const then =
    "update messages set status = 'cancelled', settled_at = clock_timestamp() where status = 'queued'";
  expect(await download({ then })).toEqual({ status: 'cancelled', media: 'pending', kept: false });
});

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

test('files that are not as they were recorded, for example after a power failure, are downloaded again', async () => {
  const account = await makeAccount(database);
  const number = { ...account, numberId: await makeNumber(database, account) };
  const holding = await linkAsWorker(database, number);
  const spool = await openSpool(directory);
  const files = { whole: '1234', cut: '12', zeros: '\0\0\0\0', missing: null };
  const ids: Record<string, string> = {};
  for (const [name, content] of Object.entries(files)) {
    const id = await queueMessage(database, {
      ...number,
      recipient: `4917000${Object.keys(ids).length}@c.us`,
    });
    ids[name] = id;
    await database.sql`update messages set media_status = 'ready', media_bytes = 4, media_sha256 = ${sha256('1234')}
      where id = ${id}`;
    if (content !== null) await writeFile(spool.pathFor(id), content);
  }
  const fetch = () => Promise.reject(new Error('nothing is fetched'));
  await new MediaDownloads({ database, log, spool, fetch }).recover(holding);
  const pending = await database.sql<{ id: string }[]>`select id from messages where media_status = 'pending'
    and number_id = ${number.numberId} order by seq`;
  expect(pending.map(({ id }) => id)).toEqual([ids.cut, ids.zeros, ids.missing]);
});

describe('a file whose turn it is', () => {
  /** Reads a file with this content, whose URL leads to `again` if it is asked. */
  async function read({ stored, again }: { stored: string | null; again?: string }) {
    const spool = await openSpool(directory);
    const id = `msg_${randomUUID()}`;
    if (stored !== null) await writeFile(spool.pathFor(id), stored);
    const fetch = vi.fn(async ({ messageId }: { messageId: string }) => {
      if (again === undefined) throw new AppError('media_unavailable', 'It is gone.');
      await writeFile(spool.pathFor(messageId), again);
      const found = { mimeType: 'image/png', extension: 'png', bytes: again.length, sha256: sha256(again) };
      return { ...found, spoolFile: spool.pathFor(messageId) };
    });
    const media = new MediaDownloads({ database, log, spool, fetch });
    const content = { type: 'image', url: 'https://example.com/a.png' } as const;
    const message = { id, accountId: 'acc_1', content, mediaSha256: sha256('1234') } as ClaimedMessage;
    const bytes = await media.read(message).catch((error: unknown) => error);
    return { bytes, fetched: fetch.mock.calls.length };
  }
  const damaged = expect.objectContaining({ name: 'SendError', certain: true, reason: 'media_damaged' });

  test('is read as it was downloaded', async () => {
    expect(await read({ stored: '1234' })).toEqual({ bytes: Buffer.from('1234'), fetched: 0 });
  });

  test.each(['\0\0\0\0', '12', '', null])('and damaged (%j) is downloaded once more', async (stored) => {
    expect(await read({ stored, again: '1234' })).toEqual({ bytes: Buffer.from('1234'), fetched: 1 });
  });

  test('and damaged is not sent if its URL leads nowhere, or to another file', async () => {
    expect(await read({ stored: '12' })).toEqual({ bytes: damaged, fetched: 1 });
    expect(await read({ stored: '12', again: '4321' })).toEqual({ bytes: damaged, fetched: 1 });
  });
});
