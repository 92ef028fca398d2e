import { beforeEach, expect, test } from 'vitest';
import type { MessageContent } from '#server/core/message.ts';
import { eraseExpired } from '#server/operations/erase-expired.ts';
import { indexMessages } from '#server/operations/index-messages.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { reserve } from '#server/testing/sql.ts';
import { listMessages } from './list-messages.ts';

const database = testDatabase();

type Filter = Partial<Parameters<typeof listMessages>[1]>;
let accountId: string;
let numbers: string[];
beforeEach(async () => {
  ({ accountId } = await makeAccount(database, 0));
  numbers = [await makeNumber(database, { accountId }), await makeNumber(database, { accountId })];
});

/** The ids that a list shows, page by page, and how many pages it has. */
async function pages(filter: Filter, limits: Filter = { lookThrough: 1 }, account = accountId) {
  const found: string[] = [];
  for (let count = 1, before: number | undefined; ; count += 1) {
    const { rows, next } = await listMessages(
      { database, accountId: account },
      { limit: 10, ...filter, before, ...limits },
    );
    found.push(...rows.map(({ id }) => id));
    if (next === null) return { count, found };
    if (before !== undefined) expect(next, 'the list continues').not.toBe(before);
    before = next;
  }
}

const send = (content: string | MessageContent, of = { accountId, numberId: numbers[0] ?? '' }) =>
  queueMessage(database, {
    ...of,
    content: typeof content === 'string' ? { type: 'text', body: content } : content,
  });
const index = (batch = 1) => indexMessages({ database }, { batch });
/** So that the newest message, which each search looks at first, is none of those that are sought. */
const sendLast = () => send('The last one');

/** Repeatable random numbers below `below`. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('a search by the index finds what looking through all messages finds, in the same order', async () => {
  const random = randomOf(20_261_125);
  const words = [
    'Heron',
    'ЦАПЛЯ',
    'цапля',
    'straße',
    'İstanbul',
    'ΟΔΟΣ',
    '100%',
    'a_b',
    'a\\b',
    '鷺が来た',
    '🎉🦩🎉',
    '-1',
    '\n',
    '.',
  ];
  const word = () => words[random(words.length)] ?? '';
  const text = () => Array.from({ length: 1 + random(4) }, word).join(random(2) ? ' ' : '');
  for (let n = 0; n < 60; n += 1) {
    const body = text();
    const id = await queueMessage(database, {
      ...{ accountId, numberId: numbers[random(4) ? 0 : 1] ?? '' },
      recipient: `4915${String(random(10 ** 8)).padStart(8, '0')}@c.us`,
      content: random(3)
        ? { type: 'text', body }
        : { type: 'document', mediaUrl: 'https://example.com/a.pdf', filename: body },
    } as Parameters<typeof queueMessage>[1]);
    if (random(3) === 0)
      await database.sql`update messages set reference = ${`Order-${text()}`} where id = ${id}`;
  }
  // Several with the same time, and some earlier than those before them.
  await database.sql`
    update messages set created_at = date_trunc('hour', now()) - (400 - (seq - (select min(seq) from messages where account_id = ${accountId})) / 3 * 5) * interval '1 minute'
    where account_id = ${accountId}`;
  const part = (whole: string) => {
    const from = random(whole.length);
    return whole.slice(from, from + 2 + random(8));
  };
  const recased = (whole: string) => (random(2) ? whole.toUpperCase() : whole.toLowerCase());
  const [{ at } = { at: new Date() }] = await database.sql<{ at: Date }[]>`
    select created_at as at from messages where account_id = ${accountId} order by seq offset 30 limit 1`;
  const filters: Filter[] = [
    {},
    { numberId: numbers[0] },
    { numberId: numbers[1] },
    { since: at },
    { until: at },
    { type: 'text' },
  ];
  const searches = Array.from(
    { length: 24 },
    (): Filter => ({
      ...filters[random(filters.length)],
      search:
        [() => recased(part(text())), text, () => `+49 15${random(100)}`, () => String(1000 + random(9000))][
          random(4)
        ]?.() ?? '',
    }),
  );
  const wanted = [];
  for (const search of searches) wanted.push((await pages(search, { lookThrough: 1000 })).found);
  await index(7);
  for (const [n, search] of searches.entries()) {
    for (const blocksMax of [1, 100]) {
      const { count, found } = await pages(search, { lookThrough: 3, blocksMax });
      expect(found, JSON.stringify({ ...search, blocksMax })).toEqual(wanted[n]);
      // The newest messages are in no block.
      if (blocksMax > 1 && isLong(search.search ?? ''))
        expect(count, JSON.stringify(search)).toBeLessThanOrEqual(6 + found.length / 10);
    }
  }
});

/** Long enough for the index, also if it is part of a phone number. */
const isLong = (search: string) => search.trim().length > 3 && /^\d+$|[^\d\s()+-]/.test(search.trim());

test('a search of many messages that finds one or none has one page, in every script', async () => {
  for (let n = 0; n < 40; n += 1) await send(`Parcel ${n}`, { accountId, numberId: numbers[n % 2] ?? '' });
  const sought = await send('Für Herrn Цапля 🦩');
  for (let n = 0; n < 40; n += 1) await send(`Parcel ${n}`, { accountId, numberId: numbers[n % 2] ?? '' });
  await index();
  for (const search of ['herrn', 'FÜR H', 'ЦАПЛЯ', 'я 🦩'])
    expect(await pages({ search })).toEqual({ count: 1, found: [sought] });
  expect(await pages({ search: 'kingfisher' })).toEqual({ count: 1, found: [] });
  // Too short for the index.
  expect((await pages({ search: 'ü' })).count).toBeGreaterThan(40);
  // Of its own account and number only.
  expect((await pages({ search: 'herrn', numberId: numbers[1] })).found).toEqual([]);
  const other = await makeAccount(database, 0);
  const numberId = await makeNumber(database, other);
  for (let n = 0; n < 3; n += 1) await send('Herrn Plover', { accountId: other.accountId, numberId });
  await index();
  expect((await pages({ search: 'herrn' })).found).toEqual([sought]);
  expect((await pages({ search: 'herrn' }, undefined, other.accountId)).found).toHaveLength(3);
});

const grams = () =>
  database.sql<{ grams: number[] | null }[]>`select grams from search_blocks where account_id = ${accountId}`;

test('nothing of an erased text stays in the index, and its recipient is still found', async () => {
  const erased = await send('Kingfisher');
  await database.sql`
    update messages set status = 'cancelled', created_at = now() - interval '3 days' where id = ${erased}`;
  await sendLast();
  await index(2);
  const [before] = await grams();
  await database.sql`update accounts set text_retention_days = 2 where id = ${accountId}`;
  await eraseExpired({ database });
  expect(await grams()).toEqual([{ grams: null }]);
  expect(await pages({ search: 'Kingfisher' })).toEqual({ count: 1, found: [] });
  expect((await pages({ search: '5228817' })).found).toContain(erased);
  expect(await index(2)).toMatchObject({ renewed: 1 });
  const [after] = await grams();
  const without = before?.grams?.filter((gram) => !after?.grams?.includes(gram));
  // As many as the word has: of its beginning, its end, and what is between.
  expect(without?.length).toBeGreaterThanOrEqual('Kingfisher'.length - 2);
  expect((await pages({ search: '5228817' })).found).toContain(erased);
});

test('no block is made from a text that is being erased, and nothing is erased while blocks are made', async () => {
  const erased = await send('Kingfisher');
  const other = await send('Plover');
  await index(2);
  await database.sql`delete from search_blocks`;
  await database.sql.begin(async (sql) => {
    await sql`update messages set content = null where id = ${erased}`;
    expect(await index(2)).toEqual({ indexed: 0, renewed: 0 });
  });
  expect(await grams()).toEqual([]);
  let done = 0;
  let erasing: Promise<unknown> = Promise.resolve();
  await database.sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(7270036)`;
    const erasures = [
      database.sql`update messages set content = null where id = ${other}`,
      database.sql`delete from messages where id = ${erased}`,
    ];
    erasing = Promise.all(
      erasures.map(async (erasure) => {
        await erasure;
        done += 1;
      }),
    );
    await expect
      .poll(() => database.sql`select from pg_locks where locktype = 'advisory' and not granted`)
      .toHaveLength(2);
    expect(done).toBe(0);
    await database.sql`delete from messages where id = 'msg_none'`; // nothing to erase: does not wait
  });
  await erasing;
});

test('deleted messages leave the index, with their number or one by one', async () => {
  const [first, second] = [await send('Kingfisher'), await send('Plover')];
  await send('Heron', { accountId, numberId: numbers[1] ?? '' });
  await index(3);
  await database.sql`delete from messages where id = ${first}`;
  expect((await grams()).filter((block) => block.grams === null)).toHaveLength(1);
  await index();
  await database.sql`delete from messages where id = ${second}`;
  await index();
  expect(await grams()).toHaveLength(1);
  await database.sql`delete from numbers where id = ${numbers[1] ?? ''}`;
  expect(await grams()).toEqual([]);
});

test('messages that are deleted together empty their own blocks and no others', async () => {
  const [first, second, third] = [await send('Kingfisher'), await send('Plover'), await send('Heron')];
  const fourth = await send('Egret', { accountId, numberId: numbers[1] ?? '' });
  await sendLast();
  await index(); // one message in each block
  const blocks = () =>
    database.sql<{ id: string; isEmpty: boolean }[]>`
      select m.id, b.grams is null as "isEmpty" from search_blocks b join messages m on m.seq = b.from_seq
      where b.account_id = ${accountId} order by b.from_seq`;
  const [, , , , last] = await blocks();
  const newest = await send('In no block yet');
  await database.sql`delete from messages where id = any(${[first, third, fourth, newest]})`;
  expect(await blocks()).toEqual([
    { id: second, isEmpty: false },
    { id: last?.id, isEmpty: false },
  ]);
  expect((await grams()).filter((block) => block.grams === null)).toHaveLength(3);
});

test('messages that are still being written keep later ones out of blocks, so that none is missed', async () => {
  const early = await reserve(database.pool);
  await early`begin`;
  await early`
    insert into messages (id, account_id, number_id, type, recipient, content, lane, deadline_at, media_status)
    values (${`msg_early_${accountId}`}, ${accountId}, ${numbers[0] ?? ''}, 'text', '4915228817386@c.us',
      '{"type": "text", "body": "An early kingfisher"}', 'async', now(), 'none')`;
  await send('Later', { accountId, numberId: numbers[1] ?? '' });
  await sendLast();
  expect((await index()).indexed).toBe(0);
  await early`commit`;
  early.release({ reusable: true });
  await index();
  expect((await pages({ search: 'kingfisher' })).found).toEqual([`msg_early_${accountId}`]);
});

test('several processes put each message into one block', async () => {
  for (let n = 0; n < 50; n += 1) await send(`Parcel ${n}`);
  await Promise.all([1, 2, 3].map(() => index(5)));
  await index(5);
  const [row] = await database.sql`
    select count(*)::int as messages, count(distinct m.id)::int as once from messages m join search_blocks b
      on b.number_id = m.number_id and m.seq between b.from_seq and b.to_seq where m.account_id = ${accountId}`;
  expect(row).toEqual({ messages: 50, once: 50 });
});

test('a run pauses before each batch, and a stop ends the pause', async () => {
  for (let n = 0; n < 10; n += 1) await send(`Parcel ${n}`);
  const stopping = new AbortController();
  const run = indexMessages({ database }, { batch: 5, rests: 1e6, signal: stopping.signal });
  stopping.abort();
  expect((await run).indexed).toBe(0);
  expect(await index(5)).toMatchObject({ indexed: 10 });
});
