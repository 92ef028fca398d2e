import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#server/core/id.ts';
import { findSession } from '#server/numbers/queries/sessions.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { listPageBuilds, setTriesFirst, tryBuildAgain } from './page-builds.ts';
import { listBuildRows } from './queries/build-list.ts';
import {
  beginTry,
  findTrier,
  keepDocument,
  listBuilds,
  lockSeenBuild,
  markUnserved,
  proveBuild,
  readDocument,
  writeNumberBuild,
  writeVerdict,
} from './queries/page-builds.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accountId: string;
type Holding = Awaited<ReturnType<typeof linkAsWorker>>;
let first: Holding;
let second: Holding;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ accountId } = await makeAccount(database));
  const link = async (label: string) =>
    linkAsWorker(database, { numberId: await makeNumber(database, { accountId, label }) });
  [first, second] = [await link('Counter'), await link('Harbour')];
});
beforeEach(async () => {
  await database.sql`delete from page_builds`;
  await database.sql`delete from number_builds`;
});
afterAll(() => database.drop());

const network = 'sandbox';
const scope = (holding: Holding) => ({ network, holding }) as const;
const seen = (version: string, holding = first) => lockSeenBuild(database.db, scope(holding), { version });
const tested = (version: string, failed: string | null, holding = first) =>
  writeVerdict(database.db, scope(holding), {
    version,
    failed,
    comms: failed === null ? 'page' : null,
    sendMs: 60_000,
  });
const find = async (version: string) =>
  (await listBuilds(database.db, { network })).find((build) => build.version === version);
const stale = (holding: Holding) => ({ ...holding, fence: holding.fence - 1 });
const document = Buffer.from('a compressed page');
const keep = (version: string, pinned = 'latest') =>
  keepDocument(database, { network, version, document, pinned });

/** A message that a build dispatched. */
async function dispatch(version: string, status: 'sending' | 'sent' | 'failed' | 'unknown', ackMs = 200) {
  const id = await queueMessage(database, { accountId, numberId: first.numberId });
  const waMessageId = newId('message');
  await database.sql`
    update messages set status = 'sending', wa_message_id = ${waMessageId}, page_build = ${version}, fence = ${first.fence},
      dispatched_at = clock_timestamp() where id = ${id}`;
  if (status !== 'sending')
    await database.sql`
      update messages set status = ${status}, sent_at = case when ${status === 'sent'} then dispatched_at + ${ackMs} * interval '1 millisecond' end
      where id = ${id}`;
  return waMessageId;
}

async function good(version: string) {
  await seen(version);
  await keep(version);
  await tested(version, null);
  await database.sql`update page_builds set proven_at = clock_timestamp() where version = ${version}`;
}

test('a write under an old fence changes nothing', async () => {
  expect(await seen('1', stale(first))).toBe(false);
  expect(await find('1')).toBeUndefined();
  await good('1');
  expect(await tested('1', 'broken', stale(first))).toBe(false);
  await markUnserved(database, scope(stale(first)), { version: '1' });
  await writeNumberBuild(database.db, stale(first), { version: '1', kept: false });
  expect(await find('1')).toMatchObject({ verdict: 'passed', served: true });
  expect(await database.sql`select 1 from number_builds`).toEqual([]);
});

test('a build is proven only by a message sent through it after it passed its self-test', async () => {
  await seen('1');
  const [ours, other] = [await dispatch('1', 'sending'), await dispatch('0', 'sending')];
  const prove = (waMessageId: string, holding = first) =>
    proveBuild(database, scope(holding), { version: '1', waMessageId });
  expect(await prove(ours)).toBe(false);
  await tested('1', null);
  expect(await prove(other)).toBe(false);
  expect(await prove(ours, stale(first))).toBe(false);
  expect(await prove(ours)).toBe(true);
  expect((await find('1'))?.proven).toBe(true);
  // A failed self-test takes that back.
  await tested('1', 'messages do not pass the gate');
  expect(await find('1')).toMatchObject({ verdict: 'failed', proven: false });
  expect(await prove(ours)).toBe(false);
});

test('a build that another version of Wirebird found broken counts as untested', async () => {
  await seen('1');
  await tested('1', 'messages do not pass the gate');
  await database.sql`update page_builds set tested_by = 'an earlier one'`;
  expect((await find('1'))?.verdict).toBeNull();
});

test('the documents of the three newest good builds, the two newest others and a pinned one are stored', async () => {
  for (const version of ['1', '2', '3', '4', '5', '6']) await good(version);
  for (const version of ['7', '8', '9']) {
    await seen(version);
    await keep(version, '1');
  }
  const kept = (await listBuilds(database.db, { network })).filter((build) => build.kept);
  expect(kept.map(({ version }) => version)).toEqual(['9', '8', '6', '5', '4']);
  await seen('10');
  await database.sql`update page_builds set document = ${document} where version = '2'`;
  await keep('10', '2');
  expect((await find('2'))?.kept).toBe(true);
  expect(await readDocument(database, { network, version: '10' })).toEqual(document);
});

test('a number tries an untested build until its time is over', async () => {
  await seen('1');
  const wish = async () => (await findSession(database, second))?.buildToTry?.version ?? null;
  expect(await wish()).toBeNull();
  await beginTry(database.db, { network, version: '1', numberId: second.numberId, forMs: 60_000 });
  expect(await wish()).toBe('1');
  await tested('1', null, second);
  expect(await wish()).toBeNull();
});

test('new builds are tried first on the chosen number, while it runs', async () => {
  expect(await findTrier(database.db, { network })).toBeNull();
  await setTriesFirst({ database, actor: CLI }, { numberId: second.numberId });
  expect(await findTrier(database.db, { network })).toBe(second.numberId);
  expect(await findTrier(database.db, { network: 'whatsapp' })).toBeNull();
  expect((await listPageBuilds({ database })).triesFirst).toBe(second.numberId);
  await expect(setTriesFirst({ database, actor: CLI }, { numberId: 'num_none' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await setTriesFirst({ database, actor: CLI }, { numberId: null });
  expect(await findTrier(database.db, { network })).toBeNull();
});

test('a failed build is retried on the chosen number, or the one with the fewest waiting messages', async () => {
  await good('1');
  await seen('2');
  await tested('2', 'messages do not pass the gate');
  await expect(tryBuildAgain({ database, actor: CLI }, { network, version: '1' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await queueMessage(database, { accountId, numberId: first.numberId });
  expect(await tryBuildAgain({ database, actor: CLI }, { network, version: '2' })).toEqual({
    number: 'Harbour',
  });
  expect(await find('2')).toMatchObject({ verdict: null, tryingNumberId: second.numberId });
  await tested('2', 'messages do not pass the gate', second);
  await setTriesFirst({ database, actor: CLI }, { numberId: first.numberId });
  expect(await tryBuildAgain({ database, actor: CLI }, { network, version: '2' })).toEqual({
    number: 'Counter',
  });
  await setTriesFirst({ database, actor: CLI }, { numberId: null });
  const noted = await database.sql<{ action: string }[]>`
    select action from audit_log where action like 'build.%' order by id desc limit 1`;
  expect(noted).toEqual([{ action: 'build.tries_first' }]);
});

test('each build is listed with its numbers and the outcomes of its messages in a day', async () => {
  await database.sql`delete from messages`;
  await good('1');
  await writeNumberBuild(database.db, first, { version: '1', kept: false });
  await writeNumberBuild(database.db, second, { version: '1', kept: true });
  for (const ackMs of [100, 200, 300]) await dispatch('1', 'sent', ackMs);
  await dispatch('1', 'failed');
  await dispatch('1', 'unknown');
  await dispatch('1', 'sending');
  const old = await dispatch('1', 'sent');
  await database.sql`
    update messages set dispatched_at = dispatched_at - interval '25 hours' where wa_message_id = ${old}`;
  const [row] = await listBuildRows(database);
  expect(row).toMatchObject({ version: '1', numbers: 2, sent: 3, failed: 1, unknown: 1, ackMs: 290 });
  expect((await listPageBuilds({ database })).builds[0]?.state).toBe('good');
  // A number whose session no worker runs does not count.
  await database.sql`update leases set expires_at = clock_timestamp() where number_id = ${second.numberId}`;
  expect((await listBuildRows(database))[0]?.numbers).toBe(1);
});
