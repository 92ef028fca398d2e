import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { AppError } from '#server/core/errors.ts';
import { personOf } from '#server/core/recipient.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { takeOverSession } from '#server/numbers/take-over-session.ts';
import { messageState } from '#server/testing/domain.ts';
import { failOnce } from '../testing/fail-once.ts';
import { startWorld, until, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('was not refused');
    },
    (error: unknown) => {
      if (error instanceof AppError) return { code: error.code, ...error.details };
      throw error;
    },
  );

const stored = async (messageId: string) => {
  const [row] = await world.database
    .sql`select status, error_code as "errorCode" from messages where id = ${messageId}`;
  return row;
};

test('a message is answered when the server has acknowledged it', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const { message, queued } = await world.text(key, '491700000001', 'hello');
  expect({ message, queued }).toEqual({
    message: {
      id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      to: '491700000001@c.us',
      type: 'text',
      status: 'sent',
      errorCode: null,
      error: null,
    },
    queued: false,
  });
  expect(world.network.delivered.filter((d) => d.numberId === numberId)).toHaveLength(1);
});

test('the timeline has the steps in their order, also if an earlier one is written slowly', async () => {
  const { key } = await world.addLinkedNumber();
  const { sql } = world.database;
  await sql.unsafe(`
    create function write_slowly() returns trigger language plpgsql as
      'begin perform pg_sleep(0.2); new.id := nextval(pg_get_serial_sequence(''message_events'', ''id'')); return new; end';
    create trigger write_slowly before insert on message_events
      for each row when (new.event = 'recipient_resolved') execute function write_slowly()`);
  const { message } = await world.text(key, '491700000002', 'hello');
  const steps = () => sql`
    select event from message_events where message_id = ${message.id} and event in ('recipient_resolved', 'handed_over')
    order by id`;
  await until(async () => (await steps()).length === 2);
  await sql.unsafe('drop trigger write_slowly on message_events; drop function write_slowly');
  expect((await steps()).map(({ event }) => event)).toEqual(['recipient_resolved', 'handed_over']);
});

test('a message that the server refuses is a definite failure', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'refuse');
  const refused = await refusal(world.text(key, '491700000001', 'no'));
  expect(refused).toEqual({
    code: 'send_failed',
    outcome: 'send_failed',
    sendOutcome: 'not_sent',
    messageId: expect.any(String),
  });
  expect(await stored(refused.messageId ?? '')).toEqual({ status: 'failed', errorCode: 'send_failed' });
});

test.each([
  [463, 'recipient, who has never written'],
  [475, 'monthly limit'],
  [421, 'address at WhatsApp has changed'],
  [429, 'too much at once'],
  [479, 'no known reason'],
  [
    418,
    'Its reason is not known (WhatsApp’s own code 418). Wait a minute, then repeat the request from your program',
  ],
])('a refusal with the code %i gives the reason, and the number stays connected', async (code, words) => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, code);
  const refused = await refusal(world.text(key, '491700000001', 'no'));
  expect(refused).toMatchObject({ code: 'send_failed', sendOutcome: 'not_sent' });
  const row = await messageState(world.database, refused.messageId ?? '');
  expect(row.error).toContain(words);
  expect(row.error).toContain(`code ${code}`);
  expect(await getNumber(world, { numberId })).toMatchObject({ status: 'CONNECTED' });
});

test('the code 421 has other words in a group', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 421);
  const refused = await refusal(world.text(key, '120363041234567890@g.us', 'no'));
  const row = await messageState(world.database, refused.messageId ?? '');
  expect(row.error).toContain('the group’s members have changed');
});

test('a message to a group whose members WhatsApp does not return is not sent, says why, and restarts nothing', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'members');
  const refused = await refusal(world.text(key, '120363041234567890@g.us', 'no'));
  expect(refused).toMatchObject({ code: 'send_failed', sendOutcome: 'not_sent' });
  const row = await messageState(world.database, refused.messageId ?? '');
  expect(row.error).toContain('did not say who is in this group, so the message would have reached nobody');
  expect(await getNumber(world, { numberId })).toMatchObject({ status: 'CONNECTED' });
  expect(world.opens(numberId)).toBe(1);
});

test('while WhatsApp refuses look-ups none is made, people known to the page get messages, others answer 429', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const { network } = world;
  await world.text(key, '491700000071', 'known');
  network.lookUpsFail = 'look_ups';
  let count = network.lookUps;
  const retryAfter = async (to: string) => {
    const failure = await world.text(key, to, 'x').catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'new_contacts',
      details: { sendOutcome: 'not_sent', retryAfterSeconds: expect.any(Number) },
    });
    return (failure as AppError).details.retryAfterSeconds ?? 0;
  };
  const pass = (seconds: number) => world.database.sql`
    update number_health set look_ups_until = look_ups_until - ${seconds} * interval '1 second' where number_id = ${numberId}`;
  const asked = () => {
    const made = network.lookUps - count;
    count = network.lookUps;
    return made;
  };
  const within = (seconds: number, most: number) => {
    expect(seconds).toBeGreaterThan(most - 30);
    expect(seconds).toBeLessThanOrEqual(most);
  };
  within(await retryAfter('491700000072'), 600);
  await pass(300);
  within(await retryAfter('491700000073'), 300);
  await world.text(key, '491700000071', 'continues');
  expect(asked()).toBe(1);

  // The pause belongs to the number, so it also applies in another worker.
  await world.restartWorker();
  await world.untilStatus(numberId, 'CONNECTED');
  within(await retryAfter('491700000072'), 300);
  expect(asked()).toBe(0);

  for (const minutes of [20, 40, 80, 160, 320, 360, 360]) {
    await pass(minutes * 60);
    within(await retryAfter('491700000072'), minutes * 60);
    expect(asked()).toBe(1);
  }
  await pass(360 * 60);
  network.lookUpsFail = null;
  await world.text(key, '491700000073', 'answered');
  network.lookUpsFail = 'look_ups';
  within(await retryAfter('491700000072'), 600);
  network.lookUpsFail = null;
});

test('a person found on WhatsApp is not looked up again by this number for 7 days, while its page can address them', async () => {
  const { network } = world;
  const [first, second] = [await world.addLinkedNumber(), await world.addLinkedNumber()];
  const to = '491700000078';
  const questionsOf = async (key: typeof first.key) => {
    const before = network.lookUps;
    await world.text(key, to, 'hello');
    return network.lookUps - before;
  };
  const sendAgain = async () => {
    await world.restartWorker();
    for (const { numberId } of [first, second]) await world.untilStatus(numberId, 'CONNECTED');
  };
  const age = (hours: number) => world.database.sql`
    update look_ups set at = clock_timestamp() - ${hours} * interval '1 hour' where number_id = ${first.numberId}`;
  expect(await questionsOf(first.key)).toBe(1);
  await sendAgain();
  await age(167);
  expect(await questionsOf(first.key)).toBe(0);
  expect(await questionsOf(second.key)).toBe(1);
  await sendAgain();
  await age(169);
  expect(await questionsOf(first.key)).toBe(1);
  await sendAgain();
  network.addressable.delete(`${to}@c.us`);
  expect(await questionsOf(first.key)).toBe(1);
});

test('when the page answers look-ups differently, known people get messages and others are refused with the reason', async () => {
  const { key } = await world.addLinkedNumber();
  const { network } = world;
  await world.text(key, '491700000074', 'known');
  network.lookUpsFail = 'look_ups_changed';
  const refused = await refusal(world.text(key, '491700000075', 'x'));
  expect(refused).toMatchObject({ code: 'send_failed', sendOutcome: 'not_sent' });
  const row = await messageState(world.database, refused.messageId ?? '');
  expect(row.error).toContain('WhatsApp Web has changed');
  await world.text(key, '491700000074', 'continues');
  network.lookUpsFail = null;
  await world.text(key, '491700000075', 'once it is understood again');
});

test('a failure in the page after the dispatch is definite at once, long before an acknowledgement is due', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'encrypt');
  const refused = await refusal(world.text(key, '491700000001', 'no'));
  expect(refused).toMatchObject({ code: 'send_failed', sendOutcome: 'not_sent' });
  const row = await messageState(world.database, refused.messageId ?? '');
  expect(row.error).toContain('encrypt');
});

test('a message whose session dies during the send is unknown, and the page resolves it after the restart', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'drop');
  const refused = await refusal(world.text(key, '491700000001', 'drop'));
  expect(refused).toEqual({ code: 'send_unknown', sendOutcome: 'unknown', messageId: expect.any(String) });
  await world.untilStatus(numberId, 'CONNECTED');
  await until(async () => (await stored(refused.messageId ?? ''))?.status === 'sent', 15_000);
  expect(world.network.delivered.filter((d) => d.numberId === numberId)).toHaveLength(1);
});

test('a message that the next session holds back before it is ready is then definitely not sent', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'file');
  const refused = await refusal(world.text(key, '491700000001', 'waits in the page'));
  expect(refused).toMatchObject({ code: 'send_unknown', sendOutcome: 'unknown' });
  await until(async () => (await stored(refused.messageId ?? ''))?.status === 'failed');
  expect(await stored(refused.messageId ?? '')).toEqual({ status: 'failed', errorCode: 'send_failed' });
});

test('a page that hangs during a dispatch is reported at once, not when the dispatch times out', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'hang');
  world.network.mute.add(numberId);
  const refused = refusal(world.text(key, '491700000001', 'hang'));
  await world.untilStatus(numberId, 'RECONNECTING');
  world.network.mute.delete(numberId);
  expect(await refused).toMatchObject({ code: 'send_unknown', sendOutcome: 'unknown' });
  await world.untilStatus(numberId, 'CONNECTED');
});

test('a recipient who is not on WhatsApp fails the message, and is not looked up again for ten minutes', async () => {
  const { key } = await world.addLinkedNumber();
  world.network.absent.add('491700000404');
  expect(await refusal(world.text(key, '491700000404', 'x'))).toMatchObject({ code: 'recipient_unknown' });
  world.network.absent.delete('491700000404');
  const again = await refusal(world.text(key, '491700000404', 'y'));
  expect(again).toMatchObject({ code: 'recipient_unknown', sendOutcome: 'not_sent' });
});

test('a second message waits for the interval', async () => {
  const { key, numberId } = await world.addLinkedNumber(1);
  await Promise.all([world.text(key, '491700000001', 'a'), world.text(key, '491700000002', 'b')]);
  const [a, b] = world.network.delivered.filter((d) => d.numberId === numberId);
  const gap = (b?.atMs ?? 0) - (a?.atMs ?? 0);
  expect(gap).toBeGreaterThanOrEqual(1000);
  expect(gap).toBeLessThan(1500);
});

test('fifty identical requests with one Idempotency-Key create one message and get one answer', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.text(key, '491700000001', 'once', { idempotencyKey: 'k1' })),
  );
  expect(new Set(answers.map((a) => JSON.stringify(a))).size).toBe(1);
  expect(world.network.delivered.filter((d) => d.numberId === numberId)).toHaveLength(1);
});

test('another body under the same Idempotency-Key is refused', async () => {
  const { key } = await world.addLinkedNumber();
  await world.text(key, '491700000001', 'one', { idempotencyKey: 'k2' });
  const other = await refusal(world.text(key, '491700000001', 'two', { idempotencyKey: 'k2' }));
  expect(other).toMatchObject({ code: 'idempotency_key_reused' });
});

test('a definite failure frees its Idempotency-Key, so that a retry can deliver', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'throw');
  expect(await refusal(world.text(key, '491700000001', 'retry', { idempotencyKey: 'k3' }))).toMatchObject({
    code: 'send_failed',
  });
  expect(await world.text(key, '491700000001', 'retry', { idempotencyKey: 'k3' })).toMatchObject({
    message: { status: 'sent' },
  });
});

test('a caller that hangs up and posts the same again gets the message of the first request', async () => {
  const { key, numberId } = await world.addLinkedNumber(1);
  await world.text(key, '491700000001', 'takes the slot');
  const leaving = new AbortController();
  const first = world.text(key, '491700000002', 'same', { signal: leaving.signal }).catch(() => null);
  await until(async () => {
    const [row] = await world.database
      .sql`select count(*)::int as n from messages where number_id = ${numberId} and status = 'queued'`;
    return row?.n === 1;
  });
  leaving.abort();
  await first;
  expect(await world.text(key, '491700000002', 'same')).toMatchObject({ message: { status: 'sent' } });
  expect(world.network.delivered.filter((d) => d.numberId === numberId)).toHaveLength(2);
});

test('two equal requests whose callers both wait are two messages', async () => {
  const { key, numberId } = await world.addLinkedNumber(1);
  await Promise.all([world.text(key, '491700000002', 'twice'), world.text(key, '491700000002', 'twice')]);
  expect(world.network.delivered.filter((d) => d.numberId === numberId)).toHaveLength(2);
});

test('a sync request that would wait longer than 40 s is refused with when its slot comes, and leaves nothing', async () => {
  const { key, numberId } = await world.addLinkedNumber(30);
  await world.text(key, '491700000001', 'now');
  const waiting = world.text(key, '491700000001', 'in 30 s').catch(() => null);
  await until(async () => {
    const [row] = await world.database
      .sql`select count(*)::int as n from messages where number_id = ${numberId}`;
    return row?.n === 2;
  });
  const refused = await refusal(world.text(key, '491700000002', 'in 60 s'));
  expect(refused).toEqual({ code: 'queue_full', retryAfterSeconds: expect.any(Number) });
  expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(19);
  expect(refused.retryAfterSeconds).toBeLessThanOrEqual(32);
  const [row] = await world.database
    .sql`select count(*)::int as n from messages where number_id = ${numberId}`;
  expect(row?.n).toBe(2);
  // A shorter interval counts at once.
  await world.database.sql`update numbers set send_interval_seconds = 1 where id = ${numberId}`;
  await waiting;
});

test('an async message is accepted at once and sent later', async () => {
  const { key } = await world.addLinkedNumber();
  const { message, queued } = await world.text(key, '491700000001', 'later', {
    mode: { kind: 'async', expiresInSeconds: null },
  });
  expect({ status: message.status, queued }).toEqual({ status: 'queued', queued: true });
  await until(async () => (await stored(message.id))?.status === 'sent');
});

test('no message overtakes an earlier one to the same recipient, and sync ones go before async ones', async () => {
  const { key, numberId } = await world.addLinkedNumber(1);
  await world.database
    .sql`update leases set next_send_at = clock_timestamp() + interval '1 second' where number_id = ${numberId}`;
  const asyncMode = { mode: { kind: 'async', expiresInSeconds: null } } as const;
  await world.text(key, '491700000001', 'async to 1', asyncMode);
  await world.text(key, '491700000002', 'async to 2', asyncMode);
  await Promise.all([
    world.text(key, '491700000002', 'sync to 2'),
    world.text(key, '491700000003', 'sync to 3'),
  ]);
  await until(() => world.network.delivered.filter((d) => d.numberId === numberId).length === 4, 20_000);
  const order = world.network.delivered
    .filter((d) => d.numberId === numberId)
    .map((d) => d.content.type === 'text' && d.content.body);
  expect(order.indexOf('async to 2')).toBeLessThan(order.indexOf('sync to 2'));
  expect(order.indexOf('sync to 3')).toBeLessThan(order.indexOf('async to 1'));
});

test('a revoked key cancels its waiting messages, and their callers get an answer', async () => {
  const { key, keyId, numberId } = await world.addLinkedNumber(30);
  await world.text(key, '491700000001', 'first');
  const waiting = refusal(world.text(key, '491700000002', 'second'));
  await until(async () => {
    const [row] = await world.database
      .sql`select count(*)::int as n from messages where number_id = ${numberId} and status = 'queued'`;
    return row?.n === 1;
  });
  await revokeApiKey(world, { keyId });
  expect(await waiting).toMatchObject({ code: 'unauthorized', sendOutcome: 'not_sent' });
  expect(await refusal(world.text(key, '491700000002', 'third'))).toMatchObject({ code: 'unauthorized' });
});

test('a number that is not connected refuses with its state', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.unlink(numberId);
  await world.untilStatus(numberId, 'LOGGED_OUT');
  expect(await refusal(world.text(key, '491700000001', 'x'))).toEqual({
    code: 'not_connected',
    numberStatus: 'LOGGED_OUT',
    sendOutcome: 'not_sent',
  });
});

test('a session that dies restarts automatically, without being linked again', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.kill(numberId);
  await world.untilStatus(numberId, 'RECONNECTING');
  await world.untilStatus(numberId, 'CONNECTED');
  expect(await world.text(key, '491700000001', 'back')).toMatchObject({ message: { status: 'sent' } });
});

test('a line that drops and returns: nothing is dispatched meanwhile, handed-over messages get their outcome, nothing restarts', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const session = world.network.sessionOf(numberId);
  world.network.behave(numberId, 'late');
  const handedOver = world.text(key, '491700000001', 'on its way');
  await until(() => world.network.delivered.some((d) => d.numberId === numberId));
  world.network.disconnect(numberId, { code: 'connection_cut' });
  await world.untilStatus(numberId, 'RECONNECTING');
  const [row] = await world.database
    .sql`select cause ->> 'code' as reason from numbers where id = ${numberId}`;
  expect(row).toEqual({ reason: 'connection_cut' });
  expect(await refusal(world.text(key, '491700000002', 'refused'))).toMatchObject({
    code: 'not_connected',
    numberStatus: 'RECONNECTING',
  });
  const [open] = await world.database.sql<{ id: string; status: string }[]>`
    select id, status from messages where number_id = ${numberId}`;
  expect(open).toMatchObject({ status: 'sending' });

  world.network.reconnect(numberId);
  await world.untilStatus(numberId, 'CONNECTED');
  const [sent] = world.network.delivered.filter((d) => d.numberId === numberId);
  world.network.acknowledge(sent?.waMessageId ?? '', 1);
  expect(await handedOver).toMatchObject({ message: { id: open?.id, status: 'sent' } });
  expect(await world.text(key, '491700000003', 'after it')).toMatchObject({ message: { status: 'sent' } });
  expect(world.network.sessionOf(numberId)).toBe(session);
});

test('a message that reaches the gate long after its claim is held back if its lease was lost meanwhile', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const session = world.network.sessionOf(numberId);
  if (!session) throw new Error('there is no session');
  const { promise: looksUp, resolve } = Promise.withResolvers<void>();
  session.lookUp = async () => {
    await world.database.sql`update leases set fence = fence + 1 where number_id = ${numberId}`;
    const fromMs = performance.now();
    await until(() => performance.now() - fromMs > 300);
    resolve();
    return personOf('491700000081');
  };
  const posted = refusal(world.text(key, '491700000081', 'held back'));
  await looksUp;
  expect(await posted).toMatchObject({ code: 'send_unknown' });
  expect(world.network.delivered.filter((d) => d.numberId === numberId)).toEqual([]);
});

test('an async message waits while the line is down, and is sent when it is back', async () => {
  const { key, numberId } = await world.addLinkedNumber(1);
  await world.text(key, '491700000001', 'takes the slot');
  const asyncMode = { mode: { kind: 'async', expiresInSeconds: null } } as const;
  const { message } = await world.text(key, '491700000002', 'waits', asyncMode);
  world.network.disconnect(numberId, { code: 'connection_cut' });
  await until(async () => {
    const [slot] = await world.database.sql<{ past: boolean }[]>`
      select next_send_at < clock_timestamp() - interval '500 ms' as past from leases where number_id = ${numberId}`;
    return slot?.past === true;
  });
  const backAtMs = performance.now();
  world.network.reconnect(numberId);
  await until(async () => (await stored(message.id))?.status === 'sent');
  const [, waited] = world.network.delivered.filter((d) => d.numberId === numberId);
  expect(waited?.atMs).toBeGreaterThanOrEqual(backAtMs);
});

test('a session opened elsewhere is taken back only on its owner’s request', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.endStream(numberId, 'replaced');
  await world.untilStatus(numberId, 'CONFLICT');
  await world.restartWorker();
  const [lease] = await world.database
    .sql`select worker_id as holder from leases where number_id = ${numberId}`;
  expect(lease).toEqual({ holder: null });
  expect(world.network.isOpen(numberId)).toBe(false);
  await takeOverSession(world, { numberId });
  await world.untilStatus(numberId, 'CONNECTED');
  expect(await world.text(key, '491700000001', 'here again')).toMatchObject({ message: { status: 'sent' } });
});

test('what recipients received and read while the number had no session is recorded when it is back', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  for (const body of ['received', 'read', 'neither']) await world.text(key, '491700000001', body);
  await world.stopWorker();
  const [received, read] = world.network.delivered.filter((one) => one.numberId === numberId);
  world.network.acknowledge(received?.waMessageId ?? '', 2);
  world.network.acknowledge(read?.waMessageId ?? '', 3);
  await world.restartWorker();
  await until(async () => {
    const rows = await world.database.sql<{ status: string }[]>`
      select status from messages where number_id = ${numberId} order by seq`;
    return rows.map(({ status }) => status).join() === 'delivered,read,sent';
  });
});

test('an acknowledgement that comes after a later one, and a refusal after an acceptance, change nothing', async () => {
  const { key } = await world.addLinkedNumber();
  const { message } = await world.text(key, '491700000001', 'read at once');
  const sent = world.network.delivered.at(-1)?.waMessageId ?? '';
  for (const ack of [3, 2, -1, 1]) world.network.acknowledge(sent, ack);
  await until(async () => (await stored(message.id))?.status === 'read');
  await world.text(key, '491700000001', 'the next one');
  expect(await stored(message.id)).toEqual({ status: 'read', errorCode: null });
  const events = await world.database.sql<{ event: string }[]>`
    select event from message_events where message_id = ${message.id} and event in ('sent', 'delivered', 'read', 'failed')
    order by at, event`;
  expect(events.at(0)).toEqual({ event: 'sent' });
  expect(events.map(({ event }) => event)).not.toContain('failed');
});

test('a restarted worker resumes its numbers', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  await world.restartWorker();
  await world.untilStatus(numberId, 'CONNECTED');
  expect(await world.text(key, '491700000001', 'again')).toMatchObject({ message: { status: 'sent' } });
});

test('a phone that is linked to another number is refused', async () => {
  const first = await world.addLinkedNumber();
  const second = await world.addLinkedNumber();
  await world.database.sql`update numbers set phone_number = null where id = ${second.numberId}`;
  world.network.unlink(second.numberId);
  await world.untilStatus(second.numberId, 'LOGGED_OUT');
  await openLinking(world, { numberId: second.numberId });
  await until(() => world.network.isOpen(second.numberId));
  world.network.scan(second.numberId, first.phone);
  await until(async () => {
    const [row] = await world.database
      .sql`select cause ->> 'why' as reason from numbers where id = ${second.numberId}`;
    return row?.reason === 'in_use';
  });
  expect(await world.statusOf(first.numberId)).toBe('CONNECTED');
});

test('a media URL to an internal address is refused before anything is accepted', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const content = { type: 'image', url: 'http://169.254.169.254/latest/' } as const;
  expect(await refusal(world.send(key, '491700000001', content))).toEqual({ code: 'media_unusable' });
  const [row] = await world.database
    .sql`select count(*)::int as n from messages where number_id = ${numberId}`;
  expect(row?.n).toBe(0);
});

test('reopening linking while it is open shows its code again, although the database fails meanwhile', async () => {
  const { sql } = world.database;
  const { numberId } = await world.addUnlinkedNumber();
  const reopen = async () => {
    await openLinking(world, { numberId });
    await until(async () => {
      const [row] = await sql`select qr from number_links where number_id = ${numberId}`;
      return row?.qr != null && row.qr !== '2@browserless';
    });
  };
  await reopen();
  await reopen();
  const failing = await failOnce(sql, {
    table: 'number_links',
    write: 'insert or update',
    when: 'new.qr is not null',
  });
  await reopen();
  expect(await failing.tries()).toBeGreaterThan(1);
  await failing.remove();
});

test('a plan that expires while messages wait cancels them, and nothing more is admitted', async () => {
  const { key } = await world.addLinkedNumber(20);
  await world.text(key, '491700000001', 'takes the slot');
  const waiting = refusal(world.text(key, '491700000001', 'waits'));
  await until(async () => {
    const rows = await world.database.sql`select 1 from messages where status = 'queued'`;
    return rows.length === 1;
  });
  const paidUntil = (day: string) =>
    world.database
      .sql`update subscriptions set paid_until = ${day}::date where account_id = ${world.accountId}`;
  await paidUntil('2020-01-31');
  try {
    expect(await waiting).toEqual({
      code: 'plan_inactive',
      outcome: 'plan_ended',
      sendOutcome: 'not_sent',
      messageId: expect.any(String),
    });
    expect(await refusal(world.text(key, '491700000001', 'too late'))).toEqual({ code: 'plan_inactive' });
  } finally {
    await paidUntil('2999-12-31');
  }
});
