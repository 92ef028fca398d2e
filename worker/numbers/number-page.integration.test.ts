import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideWaited } from '#server/numbers/decide-waited.ts';
import { getNumber, numberHistory } from '#server/numbers/get-number.ts';
import { holdNumber, releaseNumber } from '#server/numbers/hold-number.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { askGroups, numberGroups } from '#server/numbers/number-groups.ts';
import { cancelQueue, numberQueue } from '#server/numbers/number-queue.ts';
import { keepPhone, replacePhone } from '#server/numbers/replace-phone.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** An owner's actions on a number's page, including their effect in the worker that runs the number. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ASYNC = { mode: { kind: 'async', expiresInSeconds: null } } as const;

const statusesOf = async (numberId: string) =>
  (
    await world.database.sql<{ status: string }[]>`
    select status from messages where number_id = ${numberId} order by seq`
  ).map((row) => row.status);

/** A number whose phone removed the device while two messages waited, scanned again by `phone`. */
async function linkedAnew(phoneOf: (old: string) => string) {
  const { numberId, key, phone } = await world.addLinkedNumber(600);
  await world.text(key, '491700000001', 'takes the slot');
  await world.text(key, '491700000001', 'one', ASYNC);
  await world.text(key, '491700000002', 'two', ASYNC);
  world.network.unlink(numberId);
  await world.untilStatus(numberId, 'LOGGED_OUT');
  await openLinking(world, { numberId });
  await until(() => world.network.isOpen(numberId));
  world.network.scan(numberId, phoneOf(phone));
  return { numberId, key, phone };
}

describe('messages that waited while a number was logged out', () => {
  test('stay until its owner releases them, and no other message stays with them', async () => {
    const { numberId, key } = await linkedAnew((phone) => phone);
    await world.untilStatus(numberId, 'CONNECTED');
    expect(await getNumber(world, { numberId })).toMatchObject({
      ...{ held: false, waiting: 2, toDecide: 2 },
    });
    await world.endPause(numberId);
    await world.database.sql`update numbers set send_interval_seconds = 0 where id = ${numberId}`;
    // One message per lane, to the recipients of the two messages that stay.
    await world.text(key, '491700000001', 'a sync one');
    await world.text(key, '491700000002', 'an async one', ASYNC);
    await until(async () => (await statusesOf(numberId)).join() === 'sent,queued,queued,sent,sent');
    expect((await numberQueue(world, { numberId })).map(({ setAside, inMs }) => [setAside, inMs])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect(await decideWaited(world, { numberId, send: true })).toMatchObject({
      ...{ decided: 2, held: false, toDecide: 0 },
    });
    await until(async () => (await statusesOf(numberId)).every((status) => status === 'sent'));
  });

  test('are discarded, and new ones continue', async () => {
    const { numberId, key } = await linkedAnew((phone) => phone);
    await world.untilStatus(numberId, 'CONNECTED');
    expect(await decideWaited(world, { numberId, send: false })).toMatchObject({
      ...{ decided: 2, held: false, toDecide: 0, waiting: 0 },
    });
    expect(await statusesOf(numberId)).toEqual(['sent', 'cancelled', 'cancelled']);
    await world.endPause(numberId);
    await world.text(key, '491700000001', 'continues');
  });

  test('keep the interval, their order and their lane once released', async () => {
    const { numberId, key } = await linkedAnew((phone) => phone);
    await world.untilStatus(numberId, 'CONNECTED');
    // To the recipient of `two`, which stays. The interval of 600 s has just begun.
    await world.text(key, '491700000002', 'later', ASYNC);
    await decideWaited(world, { numberId, send: true });
    const queue = await numberQueue(world, { numberId });
    expect(queue.map(({ preview }) => preview)).toEqual(['one', 'two', 'later']);
    const [one, two, later] = queue.map(({ inMs }) => inMs ?? 0);
    expect(one).toBeGreaterThan(500_000);
    expect((two ?? 0) - (one ?? 0)).toBeCloseTo(600_250, -2);
    expect((later ?? 0) - (two ?? 0)).toBeCloseTo(600_250, -2);
    await world.database.sql`update numbers set send_interval_seconds = 0 where id = ${numberId}`;
    await world.endPause(numberId);
    await until(async () => (await statusesOf(numberId)).every((status) => status === 'sent'));
    const left = await world.database.sql<{ body: string }[]>`
      select content->>'body' as body from messages where number_id = ${numberId} order by dispatched_at`;
    expect(left.map(({ body }) => body)).toEqual(['takes the slot', 'one', 'two', 'later']);
  });

  test('stay through a hold by the owner, which holds sync messages too', async () => {
    const { numberId, key } = await linkedAnew((phone) => phone);
    await world.untilStatus(numberId, 'CONNECTED');
    expect(await holdNumber(world, { numberId })).toMatchObject({ held: true, toDecide: 2 });
    await expect(world.text(key, '491700000009', 'refused')).rejects.toMatchObject({
      code: 'not_connected',
      message: expect.stringContaining('This number is on hold.'),
    });
    expect(await releaseNumber(world, { numberId })).toMatchObject({ held: false, toDecide: 2 });
    await world.endPause(numberId);
    await world.text(key, '491700000009', 'continues');
    expect((await statusesOf(numberId)).slice(1, 3)).toEqual(['queued', 'queued']);
  });

  test('of a number that its owner held before are kept separately, and the hold stays', async () => {
    const { numberId, key, phone } = await world.addLinkedNumber(600);
    await holdNumber(world, { numberId });
    await world.text(key, '491700000001', 'one', ASYNC);
    world.network.unlink(numberId);
    await world.untilStatus(numberId, 'LOGGED_OUT');
    await openLinking(world, { numberId });
    await until(() => world.network.isOpen(numberId));
    world.network.scan(numberId, phone);
    await world.untilStatus(numberId, 'CONNECTED');
    expect(await decideWaited(world, { numberId, send: true })).toMatchObject({
      ...{ decided: 1, held: true, toDecide: 0, waiting: 1 },
    });
    expect(await statusesOf(numberId)).toEqual(['queued']);
  });
});

describe('replacing a phone', () => {
  test('accepts the named phone, cancels waiting messages, keeps keys and history', async () => {
    const { numberId, key, phone } = await world.addLinkedNumber(600);
    await world.text(key, '491700000001', 'takes the slot');
    await world.text(key, '491700000001', 'for the old phone', ASYNC);
    const named = '999111111111';
    expect(await replacePhone(world, { numberId, phone: named })).toMatchObject({
      status: 'UNLINKED',
      phoneNumber: phone,
      replacementPhone: named,
      waiting: 0,
    });
    await until(() => !world.network.isOpen(numberId));
    await until(async () => {
      const rows = await world.database.sql`select 1 from numbers where id = ${numberId} and intent = 'idle'`;
      return rows.length > 0;
    });
    await openLinking(world, { numberId });
    await until(() => world.network.isOpen(numberId));
    world.network.scan(numberId, named);
    await world.untilStatus(numberId, 'CONNECTED');
    const number = await getNumber(world, { numberId });
    expect(number).toMatchObject({ phoneNumber: named, replacementPhone: null, held: false });
    expect(await statusesOf(numberId)).toEqual(['sent', 'cancelled']);
    await world.endPause(numberId);
    await world.text(key, '491700000001', 'the same key');
    const history = await numberHistory(world, { numberId, limit: 10 });
    expect(history[0]?.reason).toBe('The phone number was changed.');
  });

  test('accepts no phone except the named one, and without a name only the old one', async () => {
    const { numberId } = await linkedAnew(() => '999222222222');
    const reason = async () => (await getNumber(world, { numberId })).statusReason ?? '';
    await until(async () => /A different phone number was linked/.test(await reason()));
    expect(await world.statusOf(numberId)).toBe('LOGGED_OUT');
    await replacePhone(world, { numberId, phone: '999333333333' });
    // The worker may still be ending the first attempt.
    await until(() =>
      openLinking(world, { numberId }).then(
        () => true,
        () => false,
      ),
    );
    await until(() => world.network.isOpen(numberId));
    world.network.scan(numberId, '999222222222');
    // The number is LOGGED_OUT from the first attempt until the worker has started the second.
    await until(async () => /than the one you entered/.test(await reason()));
    expect(await world.statusOf(numberId)).toBe('LOGGED_OUT');
    expect((await keepPhone(world, { numberId })).replacementPhone).toBe(null);
  });

  test('refuses an invalid phone, the same phone, and a number that never had one', async () => {
    const { numberId, phone } = await world.addLinkedNumber();
    const replace = (params: { numberId?: string; phone: string }) =>
      replacePhone(world, { numberId, ...params });
    await expect(replace({ phone: '+49 170' })).rejects.toMatchObject({ code: 'invalid_parameters' });
    await expect(replace({ phone })).rejects.toMatchObject({ code: 'invalid_parameters' });
    const fresh = await world.addUnlinkedNumber();
    await expect(replace({ ...fresh, phone: '999444444444' })).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
    expect(await world.statusOf(numberId)).toBe('CONNECTED');
  });
});

describe('groups', () => {
  test('are listed by the worker on request, and a failed answer says so', async () => {
    const { numberId } = await world.addLinkedNumber();
    const groups = [
      { id: '120363000000000002@g.us', name: 'Workshop', participants: 3 },
      { id: '120363000000000001@g.us', name: 'Bike ride', participants: 12 },
    ];
    expect(await numberGroups(world, { numberId })).toMatchObject({
      groups: null,
      asking: false,
    });
    world.network.groups.set(numberId, groups);
    await askGroups(world, { numberId });
    const answered = async () => (await numberGroups(world, { numberId })).listedAt !== null;
    await until(answered);
    expect(await numberGroups(world, { numberId })).toMatchObject({
      groups: [groups[1], groups[0]],
      asking: false,
      error: null,
    });
    world.network.groups.delete(numberId);
    await askGroups(world, { numberId });
    await until(async () => (await numberGroups(world, { numberId })).error !== null);
    const { groups: kept, error } = await numberGroups(world, { numberId });
    expect(kept).toHaveLength(2);
    expect(error).toMatch(/did not return the groups/);
  });

  test('are not requested from a number that is not connected', async () => {
    const { numberId } = await world.addUnlinkedNumber();
    await expect(askGroups(world, { numberId })).rejects.toMatchObject({ code: 'not_connected' });
  });
});

test('the queue shows when each message will be sent, and a message can be removed from it', async () => {
  const { numberId, key } = await world.addLinkedNumber(600);
  await world.text(key, '491700000001', 'takes the slot');
  const first = await world.text(key, '491700000001', 'one', ASYNC);
  const second = await world.text(key, '491700000002', 'two', ASYNC);
  const queue = await numberQueue(world, { numberId });
  expect(queue.map(({ id, preview }) => [id, preview])).toEqual([
    [first.message.id, 'one'],
    [second.message.id, 'two'],
  ]);
  const [one, two] = queue.map(({ inMs }) => inMs ?? 0);
  expect(one).toBeGreaterThan(590_000);
  expect((two ?? 0) - (one ?? 0)).toBeCloseTo(600_250, -2);
  const cancelled = await cancelQueue(world, { numberId, messageId: first.message.id });
  expect(cancelled).toMatchObject({ cancelled: 1, waiting: 1 });
  await expect(cancelQueue(world, { numberId, messageId: first.message.id })).rejects.toMatchObject({
    code: 'already_exists',
  });
  await world.database.sql`update numbers set held_at = clock_timestamp() where id = ${numberId}`;
  expect((await numberQueue(world, { numberId }))[0]?.inMs).toBe(null);
});
