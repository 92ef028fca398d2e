import { beforeEach, expect, test } from 'vitest';
import { listAlerts } from '#server/alerts/list-alerts.ts';
import { raiseAlerts } from '#server/alerts/raise-alerts.ts';
import { countStale, foldCounts } from '#server/operations/keep-counts.ts';
import { settings } from '#server/settings.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { getRequest, listRequests, refusedToday } from './list-requests.ts';
import { maskBody } from './mask-body.ts';
import { insertRequests, type LoggedRequest } from './queries/requests.ts';
import { requestsOfNumber } from './requests-of-number.ts';
import { dismissUnsent, unsentRequests } from './unsent-requests.ts';
import { usageByDay } from './usage-by-day.ts';

const database = testDatabase();
let accountId: string;
let userId: string;
let numberId: string;

beforeEach(async () => {
  await database.sql`update accounts set suspended_at = clock_timestamp()`;
  ({ accountId, userId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
});

const scope = () => ({ database, accountId });
let count = 0;
/** Logs a request; refused with `errorCode`. */
async function log(given: Partial<LoggedRequest> = {}): Promise<string> {
  count += 1;
  const requestId = `request ${count}`;
  const refused = given.errorCode != null;
  await insertRequests(database, [
    {
      ...{ accountId, numberId, keyId: 'key_1', at: new Date(), endpoint: 'POST /messages/text' },
      ...{ status: refused ? 409 : 200, errorCode: null, requestId, durationMs: 12, messageId: null },
      ...{ reference: null, body: '{"to":"49"}', answer: refused ? '{"success":false}' : null },
      ...given,
    },
  ]);
  return requestId;
}
const found = async (filter: Parameters<typeof listRequests>[1]) =>
  (await listRequests(scope(), filter)).rows.map(({ requestId }) => requestId);

test('requests are listed newest first, page by page', async () => {
  const made: string[] = [];
  for (let n = 0; n < 101; n += 1) made.unshift(await log());
  const first = await listRequests(scope(), {});
  expect(first.rows.map(({ requestId }) => requestId)).toEqual(made.slice(0, 100));
  const rest = await listRequests(scope(), { before: first.next ?? 0 });
  expect([rest.rows.map(({ requestId }) => requestId), rest.next]).toEqual([made.slice(100), null]);
});

test('each filter finds its requests', async () => {
  const accepted = await log();
  const offline = await log({ errorCode: 'not_connected' });
  const other = await log({ errorCode: 'invalid_parameters', keyId: 'key_2' });
  const old = await log({ at: new Date(Date.now() - 7_200_000) });
  expect(await found({ refused: true })).toEqual([other, offline]);
  expect(await found({ refused: false })).toEqual([old, accepted]);
  expect(await found({ errorCode: 'not_connected' })).toEqual([offline]);
  expect(await found({ httpStatus: '409' })).toEqual([other, offline]);
  expect(await found({ httpStatus: '4xx' })).toEqual([other, offline]);
  expect(await found({ httpStatus: '2xx' })).toEqual([old, accepted]);
  expect(await found({ httpStatus: '400' })).toEqual([]);
  expect(await found({ keyId: 'key_2' })).toEqual([other]);
  expect(await found({ requestId: offline })).toEqual([offline]);
  expect(await found({ since: new Date(Date.now() - 60_000) })).toEqual([other, offline, accepted]);
  expect(await found({ until: new Date(Date.now() - 60_000) })).toEqual([old]);
});

test('a request shows its recipient as it was sent, and a refused one is found by it', async () => {
  const body = (fields: object) => ({
    errorCode: 'not_connected',
    body: maskBody(fields as Record<string, unknown>),
  });
  const person = await log(body({ reference: '","to":"49000', body: 'x', to: '+49 176 0406 9012' }));
  const group = await log(body({ to: '120363041234561157@g.us' }));
  const digits = await log(body({ to: 491760406 }));
  for (const to of [undefined, '', ['4917604069012'], { to: '4917604069012' }, '"4917604069012'])
    await log(body({ to }));
  const accepted = await log({ body: '{"to":"4917604069012"}' });
  await log({ body: null });
  const { rows } = await listRequests(scope(), {});
  expect(rows.flatMap(({ requestId, to }) => (to === null ? [] : [[requestId, to]]))).toEqual([
    [accepted, '4917604069012'],
    [digits, '491760406'],
    [group, '120363041234561157@g.us'],
    [person, '+49 176 0406 9012'],
  ]);
  expect(await getRequest(scope(), { requestId: person })).toMatchObject({ to: '+49 176 0406 9012' });
  expect(await found({ recipient: '+49 176 0406' })).toEqual([digits, person]);
  expect(await found({ recipient: '4917604069012' })).toEqual([person]);
  expect(await found({ recipient: '1157@g.us' })).toEqual([group]);
  expect(await found({ recipient: '%' })).toEqual([]);
});

test('one request has its body and its answer, for its own account only', async () => {
  const requestId = await log({ errorCode: 'not_connected' });
  expect(await getRequest(scope(), { requestId })).toMatchObject({
    body: '{"to":"49"}',
    answer: '{"success":false}',
  });
  ({ accountId } = await makeAccount(database));
  await expect(getRequest(scope(), { requestId })).rejects.toMatchObject({ code: 'not_found' });
});

test('a request shows the present state of its message', async () => {
  const messageId = await queueMessage(database, { accountId, numberId });
  const requestId = await log({ errorCode: 'hung_up', messageId });
  const answered = await log({ status: 202, messageId });
  const none = await log();
  const state = async () => (await getRequest(scope(), { requestId })).messageStatus;
  const rows = async () =>
    (await listRequests(scope(), {})).rows.map((row) => [
      row.requestId,
      row.messageStatus,
      row.messageSetAside,
    ]);
  expect(await state()).toBe('queued');
  await database.sql`update messages set set_aside = true where id = ${messageId}`;
  expect(await rows()).toEqual([
    [none, null, false],
    [answered, 'queued', true],
    [requestId, 'queued', true],
  ]);
  for (const status of ['sending', 'failed'])
    await database.sql`update messages set status = ${status}, set_aside = false where id = ${messageId}`;
  expect(await state()).toBe('failed');
  expect(await rows()).toEqual([
    [none, null, false],
    [answered, 'failed', false],
    [requestId, 'failed', false],
  ]);
  expect(await getRequest(scope(), { requestId: none })).toMatchObject({ messageStatus: null });
});

test('a request whose client disconnected says whether its message was still waiting, and how long it waited', async () => {
  const { sql } = database;
  const accepted = new Date('2026-11-26T10:00:00Z');
  const at = (seconds: number) => new Date(accepted.getTime() + seconds * 1000);
  const message = async (dispatched: Date | null) => {
    const id = await queueMessage(database, { accountId, numberId });
    await sql`update messages set created_at = ${accepted}, dispatched_at = ${dispatched} where id = ${id}`;
    return id;
  };
  for (const seconds of [-2, 6, 14]) await message(at(seconds));
  const messageId = await message(at(22));
  const left = { errorCode: 'hung_up', messageId };
  const waited = await log({ ...left, at: at(10) });
  const later = await log({ ...left, at: at(23) });
  const still = await log({ ...left, messageId: await message(null), at: at(10) });
  const none = await log({ errorCode: 'hung_up', at: at(10) });
  const answered = await log({ messageId, at: at(10) });
  const { rows } = await listRequests(scope(), {});
  expect(rows.map(({ requestId, leftWaiting }) => [requestId, leftWaiting])).toEqual([
    [answered, false],
    [none, false],
    [still, true],
    [later, false],
    [waited, true],
  ]);
  const detail = (requestId: string) => getRequest(scope(), { requestId });
  expect(await detail(waited)).toMatchObject({
    ...{ messageWaitedMs: 22_000, messageTurnsBefore: 2, messageAcceptedAt: accepted },
    messageFirstTurnMs: expect.any(Number),
    ...{ messageKeyed: false, messageAnswered: false },
  });
  await sql`update messages set idempotency_key = 'k', answered = true where id = ${messageId}`;
  expect(await detail(waited)).toMatchObject({ messageKeyed: true, messageAnswered: true });
  expect(await detail(still)).toMatchObject({ messageWaitedMs: null, messageTurnsBefore: 0 });
  expect(await detail(none)).toMatchObject({ messageAcceptedAt: null, messageKeyed: false });
});

test('a period has the requests that started in it', async () => {
  const at = new Date('2026-11-25T10:00:10Z');
  const long = await log({ at, durationMs: 20_000 });
  const short = await log({ at, durationMs: 5_000 });
  const ten = new Date('2026-11-25T10:00:00Z');
  expect(await found({ since: ten })).toEqual([short]);
  expect(await found({ until: ten })).toEqual([long]);
});

test('a request about the message of an earlier one is a repeat', async () => {
  const messageId = await queueMessage(database, { accountId, numberId });
  const first = await log({ messageId });
  await database.sql`update messages set request_id = ${first} where id = ${messageId}`;
  const repeated = await log({ messageId, errorCode: 'hung_up' });
  await log({ messageId, errorCode: 'idempotency_key_reused' });
  await log({ messageId, endpoint: 'POST /messages/{id}/cancel' });
  await log();
  const { rows } = await listRequests(scope(), {});
  expect(rows.filter(({ repeat }) => repeat).map(({ requestId }) => requestId)).toEqual([repeated]);
  expect(await getRequest(scope(), { requestId: repeated })).toMatchObject({ repeat: true });
  expect(await getRequest(scope(), { requestId: first })).toMatchObject({ repeat: false });
});

test('a request whose message was accepted and then failed is not refused', async () => {
  const messageId = await queueMessage(database, { accountId, numberId });
  await log({ errorCode: 'send_unknown', messageId });
  expect(await listRequests(scope(), { refused: true })).toMatchObject({ rows: [] });
  expect((await listRequests(scope(), { refused: false })).rows).toHaveLength(1);
  expect(await refusedToday(scope())).toEqual([]);
});

test('refused requests to send of today are counted, and no refused reads', async () => {
  await log();
  await log({ errorCode: 'plan_inactive', endpoint: 'GET /status' });
  await log({ errorCode: 'not_cancellable', endpoint: 'POST /messages/{id}/cancel' });
  await log({ errorCode: 'not_connected' });
  await log({ errorCode: 'not_connected', at: new Date(Date.now() - 2 * 86_400_000) });
  expect(await refusedToday(scope())).toEqual([{ numberId, count: 1 }]);
});

test('a number that refuses many requests raises one alert', async () => {
  const alerts = async () => {
    await raiseAlerts({ database });
    const { alerts: listed } = await listAlerts({ database, accountId, userId });
    return listed.filter(({ kind }) => kind === 'requests_refused').map(({ what }) => what);
  };
  for (let n = 0; n < settings.refusedAlert; n += 1) await log({ errorCode: 'not_connected' });
  await log({ errorCode: 'not_connected', at: new Date(Date.now() - 660_000) });
  expect(await alerts()).toEqual([]);
  await log({ errorCode: 'invalid_parameters' });
  const raised = [
    expect.stringContaining('21 requests to send were refused, most often with not_connected.'),
  ];
  expect(await alerts()).toEqual(raised);
  await log({ errorCode: 'not_connected' });
  expect(await alerts()).toEqual(raised);
});

test('usage is counted by day, key and number', async () => {
  const messageId = await queueMessage(database, { accountId, numberId });
  for (const status of ['sending', 'failed'])
    await database.sql`update messages set status = ${status} where id = ${messageId}`;
  for (const at of [new Date(), new Date(Date.now() - 9 * 86_400_000)])
    await log({ errorCode: 'not_connected', at });
  await log();
  const timeZone = 'Asia/Kolkata';
  await database.sql`update accounts set time_zone = ${timeZone} where id = ${accountId}`;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date());
  const none = { day, numberId, sent: 0, failed: 0, refused: 0 };
  const rows = [
    { ...none, keyId: 'key_1', refused: 1 },
    { ...none, keyId: null, failed: 1 },
  ];
  expect(await usageByDay(scope())).toEqual({ timeZone, rows });
  await countStale({ database });
  await foldCounts({ database });
  expect(await usageByDay(scope())).toEqual({ timeZone, rows });
});

const refusal = (errorCode: string, to: string, given: Partial<LoggedRequest> = {}) =>
  log({
    errorCode,
    body: maskBody({ to, text: 'Hello' }),
    answer: JSON.stringify({ success: false, error: `Because of ${errorCode}.` }),
    ...given,
  });

test('refused requests to send are summed up by number, with their reason and recipients', async () => {
  const otherId = await makeNumber(database, { accountId });
  const stranger = await makeAccount(database);
  await refusal('queue_full', '491', { ...stranger, numberId: await makeNumber(database, stranger) });
  await refusal('queue_full', '49151');
  for (const to of ['49152', '49152', '49153', '49154']) await refusal('not_connected', to);
  await refusal('no_room', '49155', {
    numberId: otherId,
    answer: JSON.stringify({ title: 'no room', detail: 'The disk is full.' }),
  });
  expect(await unsentRequests(scope())).toMatchObject([
    {
      ...{ numberId, count: 5, more: false, reason: 'Because of not_connected.' },
      ...{ to: ['49151', '49152', '49153'], others: 1 },
    },
    { numberId: otherId, count: 1, more: false, reason: 'The disk is full.', to: ['49155'], others: 0 },
  ]);
});

test('a refused request counts as not sent only if nothing was sent, and the filter finds the same ones', async () => {
  const lost = [await refusal('not_connected', '49151', { reference: 'order 1' })];
  lost.unshift(await refusal('rate_limited', '49152'));
  await refusal('not_connected', '49153', { reference: 'order 2' });
  await log();
  await refusal('not_connected', '49154', { endpoint: 'POST /numbers/check' });
  for (const errorCode of ['hung_up', 'internal', 'idempotency_key_reused'])
    await refusal(errorCode, '49155');
  await refusal('send_failed', '49156', { messageId: 'msg_1' });
  await refusal('not_connected', '49157', { at: new Date(Date.now() - 25 * 3_600_000) });
  const repeat = await queueMessage(database, { accountId, numberId });
  await database.sql`update messages set reference = 'order 2' where id = ${repeat}`;
  expect(await unsentRequests(scope())).toMatchObject([{ numberId, count: 2, to: ['49151', '49152'] }]);
  const since = new Date(Date.now() - 24 * 3_600_000);
  expect(await found({ refused: true, unsent: true, numberId, since })).toEqual(lost);
});

test('dismissed refused requests no longer need attention, stay in the log, and later ones count', async () => {
  const otherId = await makeNumber(database, { accountId });
  await refusal('not_connected', '49151');
  const latest = await refusal('queue_full', '49152');
  await refusal('queue_full', '49153', { numberId: otherId });
  const shown = await unsentRequests(scope());
  expect(shown).toMatchObject([{ numberId, count: 2 }, { numberId: otherId }]);
  const late = await refusal('not_connected', '49154');
  const { latestId = 0 } = shown[0] ?? {};
  const stranger = await makeAccount(database);
  await expect(dismissUnsent({ ...scope(), ...stranger }, { numberId, latestId })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await unsentRequests(scope())).toMatchObject([{ numberId, count: 3 }, { numberId: otherId }]);
  await dismissUnsent(scope(), { numberId, latestId });
  expect(await unsentRequests(scope())).toMatchObject([
    { numberId, count: 1, to: ['49154'] },
    { numberId: otherId, count: 1 },
  ]);
  expect((await requestsOfNumber(scope(), { numberId })).unsent).toMatchObject({ count: 1, to: ['49154'] });
  expect((await found({ unsent: true, numberId })).slice(0, 2)).toEqual([late, latest]);
});

test('the requests of a number: those that were not sent, and from how many its program disconnected in the last hour', async () => {
  const of = { numberId };
  const before = await requestsOfNumber(scope(), of);
  await log({ errorCode: 'not_connected', body: '{"to":"49157","body":"•"}' });
  const messageId = await queueMessage(database, { accountId, numberId });
  for (let n = 0; n < 2; n += 1) await log({ errorCode: 'hung_up', messageId });
  await log({ errorCode: 'hung_up', at: new Date(Date.now() - 2 * 3_600_000) });
  const { unsent, hungUp } = await requestsOfNumber(scope(), of);
  expect(hungUp).toEqual({ requests: before.hungUp.requests + 2, messages: 1, sent: 0 });
  await database.sql`update messages set status = 'sending', wa_message_id = id where id = ${messageId}`;
  await database.sql`update messages set status = 'read' where id = ${messageId}`;
  expect((await requestsOfNumber(scope(), of)).hungUp).toMatchObject({ messages: 1, sent: 1 });
  expect(unsent?.count).toBe((before.unsent?.count ?? 0) + 1);
  const quiet = await makeNumber(database, { accountId });
  await database.sql`
    insert into requests (account_id, number_id, endpoint, status, duration_ms, error_code, request_id, at)
    select ${accountId}, ${quiet}, 'POST /messages/text', 409, 1, 'not_connected', 'req_' || n, now() from generate_series(1, 1000) n`;
  expect((await requestsOfNumber(scope(), of)).unsent).toEqual(unsent);
  await database.sql`delete from requests where number_id = ${quiet}`;
  expect((await requestsOfNumber(scope(), { numberId: quiet })).unsent).toBeNull();
  await expect(requestsOfNumber(scope(), { numberId: 'num_of_nobody' })).rejects.toMatchObject({
    code: 'not_found',
  });
});
