import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import { personOf } from '#server/core/recipient.ts';
import { readNewContact } from '#server/messages/queries/new-contacts.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { numberQueue } from '#server/numbers/number-queue.ts';
import { setProtection } from '#server/numbers/number-settings.ts';
import { startWorld, until, type World } from '../testing/world.ts';

const HOUR = 3_600_000;
const ASYNC: AnswerMode = { kind: 'async', expiresInSeconds: null };
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let people = 0;
/** A person whom no number knows yet. */
const stranger = () => `4917${(people++).toString().padStart(8, '0')}`;

/** The error that refused a request; undefined if it was accepted. */
async function refusalOf(work: Promise<unknown>): Promise<AppError | undefined> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error !== undefined) expect(error).toBeInstanceOf(AppError);
  return error as AppError | undefined;
}

const rows = (numberId: string) => world.database.sql<{ status: string; recipient: string }[]>`
  select status, recipient from messages where number_id = ${numberId} order by seq`;
const delivered = (numberId: string) => world.network.delivered.filter((one) => one.numberId === numberId);
const knows = async (numberId: string, digits: string) =>
  (
    await world.database.sql`
      select 1 from recipients where number_id = ${numberId} and recipient = ${`${digits}@c.us`} and known_at is not null`
  ).length === 1;
const health = async (numberId: string) => {
  const [row] = await world.database.sql<
    { kind: string | null; cap: string | null; pausedFor: number | null; since: Date | null }[]
  >`
    select timelock_kind as kind, cap_status as cap, restricted_since as since,
      extract(epoch from pause_until - clock_timestamp())::float8 as "pausedFor"
    from number_health where number_id = ${numberId}`;
  return row;
};
async function timelock(numberId: string, until_: number | null = Date.now() + HOUR): Promise<void> {
  world.network.restrict(numberId, { timelock: { kind: 'DEFAULT', until: until_ } });
  await until(async () => (await health(numberId))?.kind === 'DEFAULT');
}
async function protect(numberId: string, on = true): Promise<void> {
  await setProtection(world, { numberId, on });
}

describe('while WhatsApp refuses new conversations', () => {
  test('a restriction that the page does not know is asked for after a 463, and is then shown', async () => {
    const { key, numberId } = await world.addLinkedNumber();
    const endsAt = Math.ceil((Date.now() + HOUR) / 1000) * 1000;
    world.network.restrict(numberId, { timelock: { kind: 'DEFAULT', until: endsAt } }, { silently: true });
    await until(async () => (await health(numberId)) !== undefined);
    expect((await health(numberId))?.kind).toBeNull();
    world.network.behave(numberId, 463);
    expect(await refusalOf(world.text(key, stranger(), 'refused'))).toMatchObject({ code: 'send_failed' });
    await until(async () => (await health(numberId))?.kind === 'DEFAULT');
    expect(await refusalOf(world.text(key, stranger(), 'the next one'))).toMatchObject({
      code: 'new_contacts',
    });
  });

  test('a 463 without a restriction shows none', async () => {
    const { key, numberId } = await world.addLinkedNumber();
    world.network.behave(numberId, 463);
    expect(await refusalOf(world.text(key, stranger(), 'refused'))).toMatchObject({ code: 'send_failed' });
    expect((await world.text(key, stranger(), 'the next one')).message.status).toBe('sent');
    expect((await health(numberId))?.kind ?? null).toBeNull();
  });

  test('a new person is refused before anything is sent, and known people still get messages', async () => {
    const { numberId, key, phone } = await world.addLinkedNumber();
    const [customer, caller] = [stranger(), stranger()];
    await world.text(key, customer, 'before');
    await until(() => knows(numberId, customer));
    world.network.write(numberId, caller);
    await until(() => knows(numberId, caller));
    await timelock(numberId);

    for (const mode of [
      { kind: 'sync' },
      ASYNC,
      { kind: 'wait', waitSeconds: 5, expiresInSeconds: null },
    ] as const) {
      const refusal = await refusalOf(world.text(key, stranger(), 'hello', { mode }));
      expect(refusal).toMatchObject({
        code: 'new_contacts',
        details: { sendOutcome: 'not_sent' },
      });
      expect(refusal?.details.retryAfterSeconds).toBeGreaterThan(3590);
      expect(refusal?.details.retryAfterSeconds).toBeLessThanOrEqual(3600);
    }
    for (const to of [customer, caller, phone]) await world.text(key, to, 'continues');
    await world.text(key, '120363000000000000@g.us', 'groups go on');
    expect((await rows(numberId)).map(({ status }) => status)).toEqual(Array(5).fill('sent'));
    expect(delivered(numberId)).toHaveLength(5);
  });

  test('waiting messages to new people are kept, also in a sync slot, and sent when the restriction ends', async () => {
    const { numberId, key } = await world.addLinkedNumber(600);
    const [first, second, known] = [stranger(), stranger(), stranger()];
    world.network.write(numberId, known);
    await until(() => knows(numberId, known));
    await world.text(key, first, 'takes the slot');
    await world.text(key, second, 'waits', { mode: ASYNC });
    await timelock(numberId, null);
    await world.text(key, known, 'overtakes', { mode: ASYNC });
    await world.endPause(numberId);
    await until(() => delivered(numberId).length === 2);
    expect(delivered(numberId).map(({ recipient }) => recipient)).toEqual([`${first}@c.us`, `${known}@c.us`]);
    world.network.restrict(numberId, { timelock: null });
    await until(() => delivered(numberId).length === 3);
    expect((await health(numberId))?.since).toBeNull();
  });

  test('the cap for new chats refuses too, but only when it is used up', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    const end = Date.now() + 48 * HOUR;
    world.network.restrict(numberId, { cap: { status: 'SECOND_WARNING', total: 20, used: 19, until: end } });
    await until(async () => (await health(numberId))?.cap === 'SECOND_WARNING');
    await world.text(key, stranger(), 'the last one');
    world.network.restrict(numberId, { cap: { status: 'CAPPED', total: 20, used: 20, until: end } });
    await until(async () => (await health(numberId))?.cap === 'CAPPED');
    const refusal = await refusalOf(world.text(key, stranger(), 'one too many'));
    expect(refusal?.message).toMatch(/cap for new conversations/);
    expect(refusal?.details.retryAfterSeconds).toBeGreaterThan(47 * 3600);
  });

  test('a refused message triggers a check at WhatsApp, and one refusal is not a restriction', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    world.network.behave(numberId, 'refuse');
    expect(await refusalOf(world.text(key, stranger(), 'refused'))).toMatchObject({ code: 'send_failed' });
    await world.text(key, stranger(), 'the next one leaves');
    world.network.restrict(
      numberId,
      { timelock: { kind: 'DEFAULT', until: Date.now() + HOUR } },
      { silently: true },
    );
    expect((await health(numberId))?.kind ?? null).toBeNull();

    const other = await world.addLinkedNumber();
    world.network.restrict(
      other.numberId,
      { timelock: { kind: 'DEFAULT', until: Date.now() + HOUR } },
      { silently: true },
    );
    world.network.behave(other.numberId, 'refuse');
    expect(await refusalOf(world.text(other.key, stranger(), 'refused'))).toMatchObject({
      code: 'send_failed',
    });
    await until(async () => (await health(other.numberId))?.kind === 'DEFAULT');
    expect(await refusalOf(world.text(other.key, stranger(), 'kept back'))).toMatchObject({
      code: 'new_contacts',
    });
    expect(delivered(other.numberId)).toEqual([]);
  });

  test('restrictions are read at the start of a session, before anything is sent', async () => {
    const { numberId, key } = await world.addLinkedNumber(600);
    await world.text(key, stranger(), 'takes the slot');
    await world.text(key, stranger(), 'waits', { mode: ASYNC });
    await world.stopWorker();
    world.network.restrict(
      numberId,
      { timelock: { kind: 'DEFAULT', until: Date.now() + HOUR } },
      { silently: true },
    );
    await world.endPause(numberId);
    await world.restartWorker();
    await until(async () => (await health(numberId))?.kind === 'DEFAULT');
    await world.untilStatus(numberId, 'CONNECTED');
    await world.text(key, (await rows(numberId))[0]?.recipient.replace('@c.us', '') ?? '', 'known');
    expect(delivered(numberId)).toHaveLength(2);
    expect((await rows(numberId))[1]?.status).toBe('queued');
  });
});

describe('a protected number', () => {
  test('contacts as many new people as its budget allows, for any number of simultaneous requests', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, () => refusalOf(world.text(key, stranger(), 'at once'))),
    );
    expect(outcomes.filter((refusal) => refusal === undefined)).toHaveLength(10);
    for (const refusal of outcomes.filter((one) => one !== undefined)) {
      expect(refusal).toMatchObject({ code: 'new_contacts' });
      expect(refusal.details.retryAfterSeconds).toBeGreaterThan(23 * 3600);
    }
    const known = delivered(numberId)[0]?.recipient.replace('@c.us', '') ?? '';
    await world.text(key, known, 'known people need no budget');
    expect(delivered(numberId)).toHaveLength(11);
  });

  test('delays async messages to new people one after another, and refuses those that would expire first', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    for (let i = 0; i < 10; i++) await world.text(key, stranger(), 'within the budget');
    await world.database.sql`
      update recipients set asked_at = clock_timestamp() - interval '23 hours 59 minutes 57 seconds' where number_id = ${numberId}`;
    const late = stranger();
    expect((await world.text(key, late, 'waits', { mode: ASYNC })).queued).toBe(true);
    expect(await refusalOf(world.text(key, late, 'sync behind it'))).toMatchObject({ code: 'new_contacts' });
    const short: AnswerMode = { kind: 'async', expiresInSeconds: 1 };
    expect(await refusalOf(world.text(key, stranger(), 'expires', { mode: short }))).toMatchObject({
      code: 'new_contacts',
    });
    expect(delivered(numberId)).toHaveLength(10);
    await until(() => delivered(numberId).length === 11);
    expect(delivered(numberId).at(-1)?.recipient).toBe(`${late}@c.us`);
  });

  test('does not count a person who wrote before the first message to them left, and counts one who replied', async () => {
    const { numberId, key } = await world.addLinkedNumber(600);
    await protect(numberId);
    const [replies, writesFirst] = [stranger(), stranger()];
    const counted = async () => {
      const recipient = personOf(stranger());
      return (await readNewContact(world.database.db, { numberId, recipient })).takenInMs.length;
    };
    await world.text(key, replies, 'takes the slot');
    await world.text(key, writesFirst, 'waits', { mode: ASYNC });
    expect(await counted()).toBe(2);
    world.network.write(numberId, replies, writesFirst);
    await until(() => knows(numberId, writesFirst));
    expect(await counted()).toBe(1);
  });

  /** A message scheduled an hour ahead. */
  const inAnHour = (): AnswerMode => ({ ...ASYNC, sendAt: new Date(Date.now() + HOUR) });

  test('sends a message at once while another one to the same new person is scheduled', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    const to = stranger();
    expect((await world.text(key, to, 'scheduled', { mode: inAnHour() })).queued).toBe(true);
    expect(await refusalOf(world.text(key, to, 'now'))).toBeUndefined();
    expect(delivered(numberId)).toHaveLength(1);
  });

  test('counts a new person once who gets a scheduled message and one at once', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    const to = stranger();
    await world.text(key, to, 'scheduled', { mode: inAnHour() });
    await world.text(key, to, 'now');
    for (let n = 0; n < 9; n++)
      expect(await refusalOf(world.text(key, stranger(), 'others'))).toBeUndefined();
    expect(await refusalOf(world.text(key, stranger(), 'one too many'))).toMatchObject({
      code: 'new_contacts',
    });
  });

  test('refuses a message at once when the budget is used up, also to a person with a scheduled message', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    for (let n = 0; n < 10; n++) await world.text(key, stranger(), 'within the budget');
    const to = stranger();
    const inTwoDays: AnswerMode = { ...ASYNC, sendAt: new Date(Date.now() + 48 * HOUR) };
    await world.text(key, to, 'scheduled', { mode: inTwoDays });
    const refusal = await refusalOf(world.text(key, to, 'now'));
    expect(refusal).toMatchObject({ code: 'new_contacts' });
    expect(refusal?.details.retryAfterSeconds).toBeLessThanOrEqual(24 * 3600);
  });

  test('keeps an import of new people separate: it has its own limit and error, and does not delay known people', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    const people = Array.from({ length: 10 }, stranger);
    for (const to of people) await world.text(key, to, 'within the budget');
    const [customer, ...others] = people as [string, ...string[]];
    await world.database.sql`
      update recipients set asked_at = asked_at - interval '1 hour' where number_id = ${numberId}`;
    const imported = Array.from({ length: 10 }, stranger);
    const send = (n: number) => world.text(key, imported[n % 10] ?? '', `import ${n}`, { mode: ASYNC });
    const refusals: (AppError | undefined)[] = [];
    for (let n = 0; n < 510; n += 10)
      refusals.push(...(await Promise.all(imported.map((_, i) => refusalOf(send(n + i))))));
    expect(refusals.slice(0, 500)).toEqual(Array(500).fill(undefined));
    for (const refusal of refusals.slice(500)) {
      expect(refusal).toMatchObject({ code: 'queue_full' });
      expect(refusal?.details.retryAfterSeconds).toBeGreaterThan(22 * 3600);
    }

    const ref = { accountId: world.accountId, numberId };
    const view = await getNumber({ database: world.database, ...ref }, ref);
    expect(view).toMatchObject({ waiting: 500, toDecide: 0, keptBack: 500 });
    const inHours = ((view.keptBackUntil?.getTime() ?? 0) - Date.now()) / HOUR;
    expect(inHours).toBeGreaterThan(22.9);
    expect(inHours).toBeLessThanOrEqual(23);
    const [first] = await numberQueue({ database: world.database, ...ref }, ref);
    expect(first).toMatchObject({ keptBack: true });
    expect((first?.inMs ?? 0) / HOUR).toBeGreaterThan(22.9);

    expect((await world.text(key, customer, 'sync')).queued).toBe(false);
    for (const to of others) await world.text(key, to, 'a reply', { mode: ASYNC });
    await until(() => delivered(numberId).length === 20);

    // A person who writes becomes known, so the messages that wait for them leave.
    world.network.write(numberId, imported[0] ?? '');
    await until(() => delivered(numberId).some(({ recipient }) => recipient === `${imported[0]}@c.us`));
  });

  test('pauses for new people after three refusals, and not after two', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    const known = stranger();
    await world.text(key, known, 'known');
    for (let i = 0; i < 2; i++) {
      world.network.behave(numberId, 'refuse');
      await refusalOf(world.text(key, stranger(), 'refused'));
    }
    await world.text(key, stranger(), 'continues');
    expect((await health(numberId))?.pausedFor ?? null).toBeNull();
    world.network.behave(numberId, 'refuse');
    await refusalOf(world.text(key, stranger(), 'refused'));
    await until(async () => ((await health(numberId))?.pausedFor ?? 0) > 3500);
    const refusal = await refusalOf(world.text(key, stranger(), 'kept back'));
    expect(refusal?.message).toMatch(/refused several first messages/);
    await world.text(key, known, 'known people go on');

    await protect(numberId, false);
    await world.text(key, stranger(), 'the owner has decided');
    expect((await health(numberId))?.pausedFor ?? null).toBeNull();
  });

  test('does not pause for refusals caused by the message or the server', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    await protect(numberId);
    const refused = async (code: number) => {
      world.network.behave(numberId, code);
      expect(await refusalOf(world.text(key, stranger(), 'refused'))).toMatchObject({ code: 'send_failed' });
    };
    for (const code of [421, 500, 421, 500]) await refused(code);
    for (const code of [463, 479]) await refused(code);
    expect((await health(numberId))?.pausedFor ?? null).toBeNull();
    await refused(429);
    await until(async () => ((await health(numberId))?.pausedFor ?? 0) > 3500);
  });

  test('does not look up a person who is not on WhatsApp again for 3 days', async () => {
    const { numberId, key } = await world.addLinkedNumber();
    const absent = stranger();
    const lookedUp = (ago: string) => world.database.sql`
      update look_ups set at = clock_timestamp() - ${ago}::interval where number_id = ${numberId}`;
    const send = async () => (await refusalOf(world.text(key, absent, 'hello')))?.code;
    world.network.absent.add(absent);
    expect(await send()).toBe('recipient_unknown');
    world.network.absent.delete(absent);
    await protect(numberId);
    await lookedUp('71 hours');
    expect(await send()).toBe('recipient_unknown');
    await lookedUp('73 hours');
    expect(await send()).toBeUndefined();
  });

  test('has irregular intervals, never shorter than the configured one', async () => {
    const { numberId, key } = await world.addLinkedNumber(600);
    await protect(numberId);
    const intervals: number[] = [];
    for (let i = 0; i < 6; i++) {
      await world.endPause(numberId);
      await world.database.sql`update numbers set send_interval_seconds = 600 where id = ${numberId}`;
      await world.restartWorker();
      await world.untilStatus(numberId, 'CONNECTED');
      await world.text(key, stranger(), 'one');
      const [row] = await world.database.sql<{ s: number }[]>`
        select extract(epoch from next_send_at - clock_timestamp())::float8 as s from leases where number_id = ${numberId}`;
      intervals.push(row?.s ?? 0);
    }
    for (const interval of intervals) {
      expect(interval).toBeGreaterThan(595);
      expect(interval).toBeLessThanOrEqual(780);
    }
    expect(new Set(intervals.map((interval) => Math.round(interval / 5))).size).toBeGreaterThan(1);
  });

  test('is the default on the real network, but not in the sandbox', async () => {
    const { numberId } = await world.addUnlinkedNumber();
    const [sandbox] = await world.database.sql`select protected from numbers where id = ${numberId}`;
    expect(sandbox).toEqual({ protected: false });
    const real = await addNumber(world, { network: 'whatsapp' });
    expect(real.protected).toBe(true);
  });
});
