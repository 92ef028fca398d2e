import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { audit } from '#server/accounts/audit.ts';
import { addDays, dateIn } from '#server/core/access.ts';
import type { Holding } from '#server/core/lease.ts';
import type { MessageType } from '#server/core/message.ts';
import { because } from '#server/core/message-outcome.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { planEndText } from '#server/core/plan-end.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { decideWaited } from '#server/numbers/decide-waited.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { holdNumber } from '#server/numbers/hold-number.ts';
import { writeLimits } from '#server/numbers/queries/number-health.ts';
import { writeLinked, writeStatus } from '#server/numbers/queries/sessions.ts';
import { replacePhone } from '#server/numbers/replace-phone.ts';
import { suspendNumber } from '#server/numbers/suspend-number.ts';
import { writeKinds } from '#server/operations/queries/build-kinds.ts';
import { writeNumberBuild } from '#server/operations/queries/page-builds.ts';
import { writeProcess } from '#server/operations/queries/processes.ts';
import { writeWorker } from '#server/operations/queries/workers.ts';
import { removePerson } from '#server/people/people.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { setHowToPay } from '#server/plans/how-to-pay.ts';
import { requestPlan, withdrawPlanRequest } from '#server/plans/request-plan.ts';
import { openMailer } from '#server/platform/mail/mailer.ts';
import { insertRequests, type LoggedRequest } from '#server/requests/queries/requests.ts';
import { settings } from '#server/settings.ts';
import { testDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { startSmtpServer } from '#server/testing/smtp.ts';
import { wordsOf } from './alert-view.ts';
import { listAlerts, listAllAlerts, markAlertsRead } from './list-alerts.ts';
import { mailAlerts } from './mail-alerts.ts';
import { mailTimesOf, setMailTime } from './mail-times.ts';
import { planLoss } from './plan-loss.ts';
import { raiseAlerts } from './raise-alerts.ts';
import { watchAlerts } from './watch-alerts.ts';

const TEXT = 'a secret between us';
const changed = (build: string, what: string): Cause => ({ code: 'build_changed', build, what });

const database = testDatabase();
let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
let operator: string;
beforeAll(async () => {
  const made = await makeAccount(database, 0);
  operator = made.email;
  await database.sql`update users set admin = true where id = ${made.userId}`;
  await writeProcess(database, { id: 'wrk_1', kind: 'worker', host: 'here', pid: 1, pidSpace: 'here' });
});
beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(async () => {
  await smtp.close();
  await database.sql`delete from alerts`;
  await database.sql`update accounts set suspended_at = clock_timestamp()`;
});

const mailer = () => openMailer({ smtpUrl: smtp.url, from: 'Wirebird <alerts@wirebird.example>' });
const look = async () => {
  const raised = await raiseAlerts({ database });
  await mailAlerts({ database }, mailer());
  return raised;
};
/** Who got which subject, sorted. */
const mailed = () =>
  smtp.mails.map(({ to, headers }) => `${to.join()}: ${headers.subject?.split(' – ')[0]}`).sort();

const mailTo = (email: string) => smtp.mails.find(({ to }) => to[0] === email);

const dayText = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );

async function makeLinked() {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId: account.accountId, label: 'Shop' });
  const holding = await linkAsWorker(database, { numberId });
  return { ...account, numberId, holding };
}
const become = (
  holding: Holding,
  status: Parameters<typeof writeStatus>[2]['status'],
  cause: Cause = { code: 'link_gone' },
) => writeStatus(database, holding, { status, cause: status === 'CONNECTED' ? null : cause });
const connectAgain = async (holding: Holding) => {
  await become(holding, 'CONNECTED');
  await database.sql`
    update numbers set status_since = clock_timestamp() - interval '20 seconds' where id = ${holding.numberId}`;
};
/** Lets `minutes` pass for a number. */
const passMinutes = (numberId: string, minutes: number) =>
  database.sql.begin(async (sql) => {
    await sql`update number_events set at = at - ${minutes} * interval '1 minute' where number_id = ${numberId}`;
    await sql`update processes set created_at = created_at - ${minutes} * interval '1 minute'`;
  });

test('a number unlinked on its phone is reported once to its members and the operator, and so is its recovery', async () => {
  const { email, accountId, userId, numberId, holding } = await makeLinked();
  await makeAccount(database); // others get no mail
  for (let i = 0; i < 3; i++) await queueMessage(database, { accountId, numberId });
  await database.sql`update accounts set time_zone = 'Asia/Tokyo' where id = ${accountId}`;
  await become(holding, 'LOGGED_OUT');
  await look();
  expect(mailed()).toEqual([`${email}: Shop is logged out`, `${operator}: Shop is logged out`].sort());
  const mail = mailTo(email);
  // The administrator is not a member: the number's page would be one of another account.
  expect(mailTo(operator)?.text).toContain(`${settings.publicUrl}/admin/accounts/${accountId}`);
  expect(mail?.text).toContain(causeText({ code: 'link_gone' }));
  expect(mail?.text).toContain('choose “Link again” and scan the code');
  expect(mail?.text).toContain(`/numbers/${numberId}`);
  // For a person who lost the phone and does not know the words of the API.
  expect(mail?.text).toContain(
    '3 messages are waiting and are kept until their deadlines, at most 24 hours.',
  );
  expect(mail?.text).toContain('even on a new phone');
  expect(mail?.text).not.toMatch(/Prefer|respond-async|same phone(?! number)/);
  expect(mail?.text).toMatch(/ at \d\d:\d\d (GMT\+9|JST) \(Asia\/Tokyo\)/);

  // Linking that is opened and expires, or another phone, is not a second event.
  await become(holding, 'LINKING');
  await become(holding, 'LOGGED_OUT', { code: 'linking_expired' });
  await look();
  expect(smtp.mails).toHaveLength(2);

  await become(holding, 'CONNECTED');
  await look();
  expect(smtp.mails).toHaveLength(2);
  await connectAgain(holding);
  await look();
  await look();
  expect(mailed().filter((line) => line.startsWith(email))).toEqual([
    `${email}: Shop is connected again`,
    `${email}: Shop is logged out`,
  ]);

  const list = await listAlerts({ database, accountId, userId });
  expect(list).toMatchObject({ unread: 2, mailed: false });
  expect(list.alerts.map(({ kind, unread }) => [kind, unread])).toEqual([
    ['recovered', true],
    ['logged_out', true],
  ]);
  const alertId = list.alerts[1]?.id ?? '';
  await markAlertsRead({ database, accountId, userId }, { alertId });
  const one = await listAlerts({ database, accountId, userId });
  expect(one.alerts.map(({ unread }) => unread)).toEqual([true, false]);
  const foreign = await makeAccount(database, 0);
  await expect(markAlertsRead({ database, ...foreign }, { alertId })).rejects.toThrow('no longer exists');
  await markAlertsRead({ database, accountId, userId }, {});
  expect(await listAlerts({ database, accountId, userId })).toMatchObject({ unread: 0 });
});

/** Logs a request of a number that is answered now, with 409 unless `given` says otherwise. */
/** Apart from a change of state, because times are stored in whole milliseconds. */
const logRequest = async (
  of: { accountId: string; numberId: string },
  given: Partial<LoggedRequest> = {},
) => {
  await delay(2);
  await insertRequests(database, [
    {
      ...{ ...of, keyId: 'key_1', at: new Date(), endpoint: 'POST /messages/text', status: 409 },
      ...{ errorCode: 'not_connected', requestId: 'request', durationMs: 1, messageId: null },
      ...{ reference: null, body: null, answer: null, ...given },
    },
  ]);
  await delay(2);
};

test('a mail about a lost number counts the requests refused since its last connection, and so does that about its recovery', async () => {
  const { email, accountId, numberId, holding } = await makeLinked();
  const of = { accountId, numberId };
  const other = await makeNumber(database, { accountId });
  await logRequest(of); // while it was connected, for example because it was held
  await become(holding, 'RECONNECTING');
  await logRequest(of);
  await become(holding, 'LOGGED_OUT');
  await logRequest(of);
  await logRequest(of, { status: 402, errorCode: 'plan_inactive' });
  await logRequest(of, { status: 200, errorCode: null });
  await logRequest(of, { messageId: 'msg_1' }); // accepted before, and listed as a message
  await logRequest({ accountId, numberId: other });
  await look();
  const own = () => smtp.mails.filter(({ to }) => to[0] === email);
  const counted = /2 requests to send were refused since it was last connected, up to \d\d:\d\d UTC\./;
  const link = `/requests?show=unsent&code=not_connected&number=${numberId}`;
  expect(own()[0]?.text).toMatch(counted);
  expect(own()[0]?.text).toContain(link);
  expect(own()[0]?.html).toContain(link.replaceAll('&', '&amp;'));
  expect(mailTo(operator)?.text).toMatch(counted);
  expect(mailTo(operator)?.text).not.toContain('/requests');

  await logRequest(of);
  await become(holding, 'CONNECTED');
  await logRequest(of);
  const earlier = sql`- interval '16 seconds' where`;
  await database.sql`update numbers set status_since = status_since ${earlier} id = ${numberId}`;
  await database.sql`update number_events set at = at ${earlier} number_id = ${numberId}`;
  await database.sql`update requests set at = at ${earlier} number_id = ${numberId}`;
  await look();
  expect(own()[1]?.headers.subject).toContain('is connected again');
  expect(own()[1]?.text).toContain('3 requests to send were refused while it was not connected.');
});

test('a mail about a recovery counts the messages of that outage that are unknown, and one about a restore those that it changed', async () => {
  const { email, accountId, numberId, holding } = await makeLinked();
  const of = { accountId, numberId };
  const own = () => smtp.mails.filter(({ to }) => to[0] === email);
  /** A message that becomes unknown now, with the reason in its timeline. */
  const loses = async (detail: string) => {
    const id = await queueMessage(database, of);
    await database.sql`update messages set status = 'sending', wa_message_id = id where id = ${id}`;
    await database.sql`update messages set status = 'unknown', settled_at = clock_timestamp() where id = ${id}`;
    await database.sql`insert into message_events (message_id, event, detail) values (${id}, 'unknown', ${detail})`;
    return id;
  };
  const before = await loses('session_lost');
  await database.sql`update messages set settled_at = clock_timestamp() - interval '1 day' where id = ${before}`;
  const recovered = async () => {
    await connectAgain(holding);
    await look();
    return own().at(-1);
  };
  await become(holding, 'LOGGED_OUT');
  await look();
  expect(own().at(-1)?.text).not.toContain('unknown');
  expect((await recovered())?.headers.subject).toContain('is connected again');
  expect(own().at(-1)?.text).not.toContain('unknown');

  await become(holding, 'LOGGED_OUT');
  await loses('session_lost');
  await look();
  expect(own().at(-1)?.text).not.toContain('unknown');
  expect((await recovered())?.text).toContain('1 message is marked unknown');

  for (let i = 0; i < 2; i++) await loses('restored');
  await become(holding, 'LOGGED_OUT', { code: 'moved' });
  await look();
  expect(own().at(-1)?.text).toContain('2 messages are marked unknown: they may have arrived.');
  await recovered();
  await become(holding, 'LOGGED_OUT');
  await look();
  expect(own().at(-1)?.headers.subject).toContain('is logged out');
  expect(own().at(-1)?.text).not.toContain('unknown');
});

test('refused requests are reported with their recipients, in the mail and in the list', async () => {
  const { email, accountId, userId, numberId } = await makeLinked();
  const body = (n: number) => JSON.stringify({ to: `4915228810${n % 7}`, text: '[5 characters]' });
  for (let n = 0; n <= settings.refusedAlert; n++)
    await logRequest({ accountId, numberId }, { body: body(n), answer: '{"error":"It is logged out."}' });
  await look();
  const sentence = `${settings.refusedAlert + 1} requests to send were refused, most often with not_connected. The most frequent response: “It is logged out.” To +49\u00a0152288100, +49\u00a0152288101, +49\u00a0152288102, +49\u00a0152288103, +49\u00a0152288104 and 2 more. They were not sent.`;
  expect(mailTo(email)?.text).toContain(sentence);
  expect(mailTo(email)?.text).toContain(`/requests?show=unsent&number=${numberId}`);
  expect(mailTo(operator)?.text).not.toContain('+4915');
  const { alerts } = await listAlerts({ database, accountId, userId });
  expect(alerts[0]?.what).toContain(sentence);
});

test('messages that a restore or a move expired are reported once for each number', async () => {
  const { email, accountId, numberId } = await makeLinked();
  for (const detail of ['restored', 'restored', null]) {
    const id = await queueMessage(database, { accountId, numberId });
    await database.sql`
      update messages set status = 'expired', settled_at = clock_timestamp(), error_code = 'deadline_passed',
        outcome = '{"say": "moved"}' where id = ${id}`;
    await database.sql`insert into message_events (message_id, event, detail) values (${id}, 'expired', ${detail})`;
  }
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
  expect(mailTo(email)?.headers.subject).toMatch(/^2 messages were not sent from Shop and expired/);
  expect(mailTo(email)?.text).toContain('The service was moved to another machine while they waited.');
  expect(mailTo(email)?.text).toContain(`/messages?status=expired&number=${numberId}`);
});

test('a restore is reported once to administrators, with what it lost, and to each account that lost records', async () => {
  const { email, accountId } = await makeLinked();
  const other = await makeLinked();
  const detail = {
    ...{ madeAt: '2026-11-25T20:47:00.139Z', rows: 155, moved: false, unknown: 11, expired: 0, toLink: 1 },
    ...{ lost: '13 messages (13 sent)', lostMessages: 13, paused: false },
  };
  const entry = { actor: { kind: 'cli' }, action: 'installation.restore' } as const;
  const restores = (facts: object) =>
    audit(database.db, { ...entry, accountId: null, target: null, detail: { ...detail, ...facts } });
  await restores({});
  await audit(database.db, {
    ...entry,
    accountId,
    target: accountId,
    detail: { lost: '2 messages (2 sent)', messages: 2 },
  });
  expect(await look()).toBe(2);
  expect(await look()).toBe(0);
  expect(mailed().sort()).toEqual(
    [
      `${email}: Records are missing, because the service was restored from a backup`,
      `${operator}: Wirebird was restored from a backup`,
    ].sort(),
  );
  expect(mailTo(email)?.text).toContain('What happened later is missing: 2 messages (2 sent).');
  expect(mailTo(other.email)).toBeUndefined();
  const text = mailTo(operator)?.text;
  expect(text).toContain(
    'The backup was made on 25 November 2026, 20:47:00 UTC. Lost: the records of 13 messages (13 sent).',
  );
  expect(text).toContain(`${settings.publicUrl}/admin/health`);
  // The next one is another event. Nobody counted what it lost.
  await database.sql`update numbers set first_linked_at = '2026-11-01' where id = ${other.numberId}`;
  await restores({ lostMessages: null });
  await look();
  expect(mailTo(other.email)?.text).toContain('What happened later is missing: how much cannot be counted.');
  // A move loses no records.
  await restores({ moved: true });
  expect(await look()).toBe(1);
  await database.sql`truncate audit_log cascade`;
});

test('a mail that is sent later counts what was refused until the number was connected again', async () => {
  const { email, accountId, userId, numberId, holding } = await makeLinked();
  const of = { accountId, numberId };
  await setMailTime({ database, userId }, { topic: 'numbers', time: 'daily' });
  await become(holding, 'LOGGED_OUT');
  await look();
  await logRequest(of);
  await logRequest(of);
  await become(holding, 'CONNECTED');
  await look();
  await logRequest(of);
  await database.sql`update alert_mails set next_try_at = clock_timestamp() where sent_at is null`;
  await look();
  expect(mailTo(email)?.headers.subject).toMatch(/^1 alert since yesterday/);
  expect(mailTo(email)?.text).toContain(
    '2 requests to send were refused since it was last connected, up to ',
  );
  expect(mailTo(email)?.text).toContain(`number=${numberId}`);
});

test('a number that the administrator suspends is reported once with the reason, and the operator’s list shows it', async () => {
  const { accountId, userId, numberId, email } = await makeLinked();
  const actor = { kind: 'cli' } as const;
  await suspendNumber({ database, accountId, actor }, { numberId, reason: 'Complaints from recipients.' });
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
  expect(mailed()).toEqual([`${email}: Shop is suspended`, `${operator}: Shop is suspended`].sort());
  const { alerts } = await listAlerts({ database, accountId, userId });
  expect(alerts[0]?.what).toContain('Complaints from recipients.');
  const first = await listAllAlerts({ database }, { before: null, limit: 1 });
  expect(first.rows).toMatchObject([{ kind: 'suspended', accountId, title: 'Shop is suspended' }]);
  expect(first.next).toBeNull();
});

test('messages that wait for a decision are reported once, instead of the recovery, with their count and what to do', async () => {
  const { email, accountId, userId, numberId, holding } = await makeLinked();
  await become(holding, 'LOGGED_OUT');
  await look();
  for (const recipient of ['4915228817386@c.us', '4915228817387@c.us'])
    await queueMessage(database, { accountId, numberId, recipient });
  await logRequest({ accountId, numberId });
  await database.sql`update numbers set intent = 'link' where id = ${numberId}`;
  await writeLinked(database, holding, { phone: '4915228810000' });
  await connectAgain(holding);
  await look();
  const decision = '2 messages wait for a decision on Shop';
  const own = () => mailed().filter((line) => line.startsWith(email));
  expect(own()).toEqual([`${email}: ${decision}`, `${email}: Shop is logged out`]);
  const text = smtp.mails.findLast(({ to }) => to[0] === email)?.text;
  expect(text).toContain(
    'What to do: Open the number and choose whether to send or discard the waiting messages.',
  );
  expect(text).toContain('1 request to send was refused while it was not connected.');
  await decideWaited({ database, accountId, actor: { kind: 'cli' } }, { numberId, send: true });
  await look();
  expect(own()).toHaveLength(2);
  expect((await listAlerts({ database, accountId, userId })).alerts[0]?.kind).toBe('to_decide');

  await become(holding, 'LOGGED_OUT');
  await look();
  await logRequest({ accountId, numberId });
  const earlier = sql`set at = at - interval '30 seconds' where number_id = ${numberId}`;
  await database.sql`update number_events ${earlier}`;
  await database.sql`update requests ${earlier}`;
  await connectAgain(holding);
  await look();
  const recoveries = smtp.mails.filter(
    ({ to, text }) => to.includes(email) && text.includes('Shop is connected again.'),
  );
  expect(recoveries).toHaveLength(1);
  expect(recoveries[0]?.text).toContain('1 request to send was refused while it was not connected.');
});

test('scheduled messages are counted apart: they stay scheduled, before and after the decision', async () => {
  const { email, accountId, numberId, holding } = await makeLinked();
  for (let i = 0; i < 2; i++) await queueMessage(database, { accountId, numberId });
  const later = await queueMessage(database, { accountId, numberId });
  await database.sql`
    update messages set send_at = clock_timestamp() + interval '2 days', deadline_at = clock_timestamp() + interval '3 days'
    where id = ${later}`;
  await become(holding, 'LOGGED_OUT');
  await look();
  expect(mailTo(email)?.text).toContain(
    '2 messages are waiting and are kept until their deadlines, at most 24 hours. 1 message is scheduled for later. It is kept for at most 24 hours after its time. If the same phone number is linked again, they are sent only after a decision on the number’s page.',
  );
  await database.sql`update numbers set intent = 'link' where id = ${numberId}`;
  await writeLinked(database, holding, { phone: '4915228816666' });
  await connectAgain(holding);
  await look();
  const own = smtp.mails.filter(({ to }) => to[0] === email).at(-1);
  expect(own?.headers.subject).toMatch(/^3 messages wait for a decision on Shop/);
  expect(own?.text).toContain(
    'until you decide. 1 of them is scheduled for later: if you choose to send, it stays scheduled.',
  );
  expect(own?.text).toContain('usually within 24 hours or, if scheduled, within 24 hours after that time.');
  const actor = { kind: 'cli' } as const;
  expect(await getNumber({ database, accountId }, { numberId })).toMatchObject({
    ...{ toDecide: 3, toDecideScheduled: 1 },
  });
  await decideWaited({ database, accountId, actor }, { numberId, send: true });
  expect(await getNumber({ database, accountId }, { numberId })).toMatchObject({
    ...{ waiting: 3, toDecide: 0, toDecideScheduled: 0, scheduled: 1 },
  });
});

test('after a change of the phone number, the recovery names the new one and counts the cancelled messages', async () => {
  const { email, accountId, numberId, holding } = await makeLinked();
  const actor = { kind: 'cli' } as const;
  const mails = () => smtp.mails.filter(({ to }) => to[0] === email);
  const change = async (phone: string, waiting: number) => {
    for (let i = 0; i < waiting; i++) await queueMessage(database, { accountId, numberId });
    await become(holding, 'LOGGED_OUT');
    await look();
    await replacePhone({ database, accountId, actor }, { numberId, phone });
    await database.sql`update numbers set intent = 'link' where id = ${numberId}`;
    await writeLinked(database, holding, { phone });
    await connectAgain(holding);
    await look();
  };
  await change('4915228817777', 2);
  expect(mails().at(-1)?.headers.subject).toMatch(/^Shop is connected again/);
  expect(mails().at(-1)?.text).toContain(
    'Its phone number now ends in 7777. 2 messages that waited or were scheduled were cancelled by the change and are not sent later.',
  );
  expect(mails().at(-1)?.text).toContain('Send again what was cancelled and is still needed.');
  await change('4915228818888', 0);
  expect(mails().at(-1)?.text).toContain(
    'Its phone number now ends in 8888. No messages were waiting when it was changed.',
  );
  await become(holding, 'LOGGED_OUT');
  await look();
  await connectAgain(holding);
  await look();
  expect(mails().at(-1)?.headers.subject).toMatch(/^Shop is connected again/);
  expect(mails().at(-1)?.text).not.toContain('Its phone number now');
});

test('a number that reconnects while it is held is not reported as sending', async () => {
  const { accountId, numberId, userId, holding } = await makeLinked();
  await become(holding, 'LOGGED_OUT');
  await look();
  await holdNumber({ database, accountId, actor: { kind: 'cli' } }, { numberId });
  await connectAgain(holding);
  await look();
  const { alerts } = await listAlerts({ database, accountId, userId });
  expect(alerts[0]).toMatchObject({
    kind: 'recovered',
    what: expect.stringContaining('until it is released'),
  });
});

test.each([
  ['BLOCKED', 'WhatsApp has blocked Shop'],
  ['CONFLICT', 'Shop is open elsewhere'],
] as const)('a number that is %s is reported, and again when it happens again', async (status, subject) => {
  const { email, holding } = await makeLinked();
  await become(holding, status);
  await look();
  await connectAgain(holding);
  await look();
  await become(holding, status);
  await look();
  expect(mailed().filter((line) => line === `${email}: ${subject}`)).toHaveLength(2);
});

test('unlinking or removal by the owner and the first linking raise no alert', async () => {
  const unlinked = await makeLinked();
  await become(unlinked.holding, 'UNLINKED', { code: 'unlinked' });
  await become(unlinked.holding, 'LINKING');
  await become(unlinked.holding, 'LOGGED_OUT', { code: 'linking_expired' });
  const removed = await makeLinked();
  await become(removed.holding, 'LOGGED_OUT');
  await database.sql`update numbers set removed_at = clock_timestamp() where id = ${removed.numberId}`;
  const fresh = await makeLinked();
  await database.sql`update numbers set first_linked_at = null where id = ${fresh.numberId}`;
  await become(fresh.holding, 'LOGGED_OUT', { code: 'phone_refused', why: 'other', stillListed: false });
  expect(await raiseAlerts({ database })).toBe(0);
});

test('a number is reported after 10 minutes offline, whatever it tried meanwhile, and not sooner', async () => {
  const { email, numberId, holding } = await makeLinked();
  await become(holding, 'RECONNECTING');
  await passMinutes(numberId, 9);
  await become(holding, 'SYNCING');
  await become(holding, 'RECONNECTING');
  expect(await raiseAlerts({ database })).toBe(0);
  await passMinutes(numberId, 1.1);
  await look();
  await look();
  expect(mailed().filter((line) => line.startsWith(email))).toEqual([
    `${email}: Shop has been disconnected for 10 minutes`,
  ]);
  await connectAgain(holding);
  await look();
  expect(mailed().filter((line) => line.startsWith(email))).toHaveLength(2);
});

test('a number whose worker died counts as offline, but not while the whole installation was off', async () => {
  const { numberId } = await makeLinked();
  await database.sql`
    update leases set renewed_at = clock_timestamp() - interval '1 hour' where number_id = ${numberId}`;
  const awakeFor = (minutes: number) => database.sql`
    update processes set seen_at = clock_timestamp(), created_at = clock_timestamp() - ${minutes} * interval '1 minute'`;
  await awakeFor(0);
  expect(await raiseAlerts({ database })).toBe(0);
  await awakeFor(11);
  expect(await raiseAlerts({ database })).toBe(1);
});

test('consecutive failures of one number are reported once, without texts and recipients', async () => {
  const { email, accountId, numberId } = await makeLinked();
  const send = async (status: 'sent' | 'failed' | 'unknown', errorCode: string | null = null) => {
    const id = await queueMessage(database, { accountId, numberId, content: { type: 'text', body: TEXT } });
    await database.sql`update messages set status = 'sending', dispatched_at = clock_timestamp() where id = ${id}`;
    await database.sql`update messages set status = ${status}, error_code = ${errorCode} where id = ${id}`;
  };
  for (let i = 0; i < 4; i++) await send('failed');
  await send('sent');
  for (let i = 0; i < 4; i++) await send(i % 2 ? 'failed' : 'unknown');
  await send('failed', 'recipient_unknown');
  expect(await raiseAlerts({ database })).toBe(0);
  await send('unknown');
  await look();
  await send('failed');
  await look();
  const own = smtp.mails.filter(({ to }) => to[0] === email);
  expect(own.map(({ headers }) => headers.subject?.split(' – ')[0])).toEqual([
    '5 messages in a row were not confirmed on Shop',
  ]);
  expect(own[0]?.text).toContain('2 failed. 3 have no confirmation and may have arrived.');
  expect(own[0]?.text).not.toContain('accepted none');
  const [message] = await database.sql<{ recipient: string }[]>`
    select recipient from messages where number_id = ${numberId} limit 1`;
  expect(own[0]?.raw).not.toContain(TEXT);
  expect(own[0]?.text).not.toContain(message?.recipient.split('@')[0]);
});

test('certain failures are named as such, and an alert that did not count them does not mention them', async () => {
  const { accountId, numberId, email } = await makeLinked();
  for (let i = 0; i < 5; i++) {
    const id = await queueMessage(database, { accountId, numberId });
    await database.sql`update messages set status = 'sending', dispatched_at = clock_timestamp() where id = ${id}`;
    await database.sql`update messages set status = 'failed' where id = ${id}`;
  }
  await look();
  const own = smtp.mails.find(({ to }) => to[0] === email);
  expect(own?.headers.subject).toContain('5 messages in a row failed on Shop');
  expect(own?.text).toContain('WhatsApp accepted none of them.');
  const earlier = {
    ...({ kind: 'failures', numberLabel: 'Shop', phoneNumber: null, facts: { legacy: '5' } } as const),
    ...{ happenedAt: new Date(0), countedUntil: new Date(0), timeZone: null },
  };
  expect(wordsOf(earlier)).toMatchObject({
    title: '5 messages in a row were not confirmed on Shop',
    what: expect.stringMatching(/^WhatsApp confirmed none of them\./),
  });
});

test('a plan’s end is reported a week before, a day before, and on the day', async () => {
  const { email, accountId } = await makeLinked();
  const today = dateIn(settings.timeZone, new Date());
  const endsIn = async (days: number) => {
    await database.sql`
      update subscriptions set paid_until = ${addDays(today, 30 + days)} where account_id = ${accountId}`;
    // Looked at on the day in question, so that one paid day is one event.
    await raiseAlerts({ database }, { now: new Date(Date.now() + 30 * 86_400_000) });
  };
  const kinds = async () =>
    (
      await database.sql<{ kind: string }[]>`
        select kind from alerts where account_id = ${accountId} order by created_at`
    ).map(({ kind }) => kind);
  await endsIn(8);
  expect(await kinds()).toEqual([]);
  await endsIn(7);
  await endsIn(7);
  expect(await kinds()).toEqual(['plan_7_days']);
  await endsIn(1);
  expect(await kinds()).toEqual(['plan_7_days', 'plan_1_day']);
  await endsIn(-settings.graceDays - 1);
  expect(await kinds()).toEqual(['plan_7_days', 'plan_1_day', 'plan_ended']);
  // It ends at midnight after the last day of grace, whenever that is noticed.
  const [ended] = await database.sql<{ at: string }[]>`
    select (happened_at at time zone ${settings.timeZone})::text as at from alerts where kind = 'plan_ended' and account_id = ${accountId}`;
  expect(ended?.at).toBe(`${addDays(today, 30)} 00:00:00`);
  await mailAlerts({ database }, mailer());
  expect(mailed().filter((line) => line.startsWith(email))).toHaveLength(2);
  // The mail about the end waits until it can count what was cancelled.
  await afterCancelling();
  await mailAlerts({ database }, mailer());
  expect(mailed().filter((line) => line.startsWith(email))).toHaveLength(3);
});

test('a WhatsApp Web build that blocks numbers raises one alert for the administrator, not one per number', async () => {
  const [first, second] = [await makeLinked(), await makeLinked()];
  await become(first.holding, 'BLOCKED', changed('2.3000.7', 'messages do not pass the gate'));
  await become(second.holding, 'BLOCKED', changed('2.3000.7', 'messages do not pass the gate'));
  await look();
  await look();
  expect(mailed()).toEqual([`${operator}: WhatsApp Web has changed`]);
  expect(smtp.mails[0]?.text).toContain('(build 2.3000.7): messages do not pass the gate. Sending is off');
  expect(smtp.mails[0]?.text).toContain('/admin/whatsapp-web');
  expect(smtp.mails[0]?.text).not.toContain('/account/plan');
  await become(second.holding, 'BLOCKED', changed('2.3000.8', 'keys of messages read differently'));
  await look();
  expect(mailed()).toHaveLength(2);
  // A refusal for another reason is reported to the members.
  await become(first.holding, 'BLOCKED', { code: 'banned' });
  await look();
  expect(mailed()).toContain(`${first.email}: WhatsApp has blocked Shop`);
});

test('a build that fails kinds raises one alert, which names them, and another one an hour after it was over at the earliest', async () => {
  const [first, second] = [await makeLinked(), await makeLinked()];
  const version = '2.3000.9';
  const found = ({ holding }: typeof first, kind: MessageType, failedCheck: string | null) =>
    writeKinds(database.db, { network: 'sandbox', holding }, { version, found: [{ kind, failedCheck }] });
  await found(first, 'image', 'its file cannot be prepared');
  await look();
  // No number runs it.
  expect(mailed()).toEqual([]);
  for (const { holding } of [first, second])
    await writeNumberBuild(database.db, holding, { version, kept: false });
  await found(second, 'contact', 'it has no vCard');
  await look();
  await look();
  const title = 'A build of WhatsApp Web cannot send all kinds of messages';
  expect(mailed()).toEqual([`${operator}: ${title}`]);
  expect(smtp.mails[0]?.text).toContain(
    `Contact cards and images cannot be sent on WhatsApp Web build ${version}.`,
  );
  expect(smtp.mails[0]?.text).toContain('/admin/whatsapp-web');
  await found(first, 'text', 'a test message cannot be built');
  await look();
  expect(mailed()).toHaveLength(1);
  const shown = async () => {
    const rows = await database.sql<{ kinds: string[]; over: boolean }[]>`
      select facts -> 'kinds' as kinds, ended_at is not null as over from alerts where kind = 'kinds_failing' order by id`;
    return rows.map(({ kinds, over }) => [kinds, over]);
  };
  expect(await shown()).toEqual([[['contact', 'image', 'text'], false]]);
  // They pass their tests, and one fails again with the next message.
  for (const kind of ['image', 'contact', 'text'] as const) await found(first, kind, null);
  await look();
  expect(await shown()).toEqual([[['contact', 'image', 'text'], true]]);
  await found(second, 'image', 'its file cannot be prepared');
  await look();
  expect(await shown()).toHaveLength(1);
  await database.sql`update alerts set created_at = created_at - interval '1 hour' where kind = 'kinds_failing'`;
  await look();
  await look();
  expect(await shown()).toEqual([
    [['contact', 'image', 'text'], true],
    [['image'], false],
  ]);
  await database.sql`delete from page_builds`;
});

test.each([
  ['gone', 'https://a.example/hook returned 410.'],
  ['failing', 'https://a.example/hook failed for 3 days.'],
])(
  'a webhook endpoint that is switched off as %s is reported once, with the page Webhooks',
  async (reason, words) => {
    const { accountId, numberId, email } = await makeLinked();
    await database.sql`
    insert into webhook_endpoints (id, account_id, number_id, url, events, secret, active, disabled_reason, disabled_at)
    values (${`hook_${reason}`}, ${accountId}, ${numberId}, 'https://a.example/hook', '{}', 'sealed', false, ${reason},
      clock_timestamp())`;
    await look();
    await look();
    const title = 'A webhook endpoint was switched off';
    expect(mailed()).toEqual([`${email}: ${title}`, `${operator}: ${title}`].sort());
    expect(mailTo(email)?.text).toContain(words);
    expect(mailTo(email)?.text).toContain(`${settings.publicUrl}/webhooks`);
  },
);

test('a webhook endpoint whose secret cannot be read is reported once', async () => {
  const { accountId, numberId, email } = await makeLinked();
  await database.sql`
    insert into webhook_endpoints (id, account_id, number_id, url, events, secret, unsigned_since)
    values ('hook_unsigned', ${accountId}, ${numberId}, 'https://a.example/hook', '{}', 'sealed', clock_timestamp())`;
  await look();
  await look();
  const title = 'A webhook endpoint gets no events';
  expect(mailed()).toEqual([`${email}: ${title}`, `${operator}: ${title}`].sort());
  expect(mailTo(email)?.text).toContain('The signing secret of https://a.example/hook cannot be read');
});

test('administrators are notified once for each change of a disk’s level, and customers see it on their numbers', async () => {
  const customer = await makeLinked();
  const sign = (mediaRefused: boolean, sessionsStopped: boolean) =>
    writeWorker(database, {
      ...{ id: 'wrk_disk', host: 'here', pid: 1, pidSpace: 'here', version: '1', volumeId: 'vol_disk' },
      ...{ memoryBytes: null, draining: false },
      disk: { mediaRefused, sessionsStopped, note: mediaRefused ? '90 MiB are free at /data.' : null },
    });
  const raised = async () => {
    await look();
    await look();
    const rows = await database.sql<{ kind: string }[]>`select kind from alerts order by id`;
    return rows.map(({ kind }) => kind);
  };
  await sign(false, false);
  expect(await raised()).toEqual([]);
  await sign(true, false);
  expect(await raised()).toEqual(['disk_low']);
  await sign(true, true);
  expect(await raised()).toEqual(['disk_low', 'disk_full']);
  await sign(true, false);
  expect(await raised()).toEqual(['disk_low', 'disk_full', 'disk_low']);
  await sign(false, false);
  expect(await raised()).toEqual(['disk_low', 'disk_full', 'disk_low', 'disk_recovered']);
  await sign(true, true);
  expect((await raised()).at(-1)).toBe('disk_full');
  expect(mailed().filter((line) => line.startsWith(customer.email))).toEqual([]);
  expect(mailed().filter((line) => line.startsWith(operator))).toHaveLength(5);
  const full = smtp.mails.find(({ headers }) =>
    headers.subject?.startsWith('The disk of the server is full'),
  );
  expect(full?.text).toContain('90 MiB are free at /data.');
  expect(full?.text).toContain('/admin/workers');
  await database.sql`delete from processes where id = 'wrk_disk'`;
});

test('each of the three days of grace sends a mail with the time of the end', async () => {
  const { email, accountId } = await makeLinked();
  const today = dateIn(settings.timeZone, new Date());
  await database.sql`update subscriptions set paid_until = ${addDays(today, 30)} where account_id = ${accountId}`;
  for (let day = 0; day <= settings.graceDays; day++)
    for (let time = 0; time < 2; time++)
      await raiseAlerts({ database }, { now: new Date(Date.now() + (30 + day) * 86_400_000) });
  await mailAlerts({ database }, mailer());
  const own = smtp.mails.filter(
    ({ to, headers }) => to[0] === email && /it is not paid/.test(headers.subject ?? ''),
  );
  const ends = planEndText(addDays(today, 30), settings);
  expect(own.map(({ headers }) => headers.subject?.split(' – ')[0])).toEqual(
    Array(3).fill(`The plan ends on ${ends}: it is not paid`),
  );
  expect(own[0]?.text).toContain(`The plan was paid until ${dayText(addDays(today, 30))}.`);
  expect(own[0]?.text).toContain('/account/plan');
});

test('a mail about the plan’s end names the price of this plan and whom to contact', async () => {
  const { email, accountId } = await makeLinked();
  const paidUntil = addDays(dateIn(settings.timeZone, new Date()), 7);
  await database.sql`update subscriptions set paid_until = ${paidUntil}, numbers_included = 3 where account_id = ${accountId}`;
  const actor = { kind: 'cli' } as const;
  const contact = { contactName: 'Eve Stone', contactAddress: 'eve@wirebird.example' };
  await setHowToPay({ database, actor }, { text: '', ...contact });
  await look();
  await setHowToPay({ database, actor }, { text: '', contactName: '', contactAddress: '' });
  const text = smtp.mails.find(({ to }) => to[0] === email)?.text;
  expect(text).toContain('The price is 75 euros a month, or 900 a year, for 3 numbers.');
  expect(text).toContain('contact the administrator (Eve Stone, eve@wirebird.example), who');
});

test('a recorded payment is mailed once to the account’s members, and enabling without a payment is not mailed', async () => {
  const { email, accountId } = await makeLinked();
  const paidUntil = addDays(dateIn(settings.timeZone, new Date()), 90);
  const terms = { accountId, numbersIncluded: 3, paidUntil, actor: { kind: 'cli' } as const };
  await activatePlan({ database, ...terms }, terms);
  expect(await look()).toBe(0);
  await activatePlan({ database, ...terms }, { ...terms, amountCents: 7500 });
  await look();
  await look();
  expect(mailed()).toEqual([`${email}: Your payment was recorded`]);
  expect(smtp.mails[0]?.text).toContain(`The plan is paid until ${dayText(paidUntil)}.`);
});

test('a request for a plan is mailed to administrators once a day, and its plan to the members', async () => {
  const { email, userId, accountId } = await makeAccount(database, 0);
  const actor = { kind: 'user', userId, address: null } as const;
  const context = { database, accountId, actor };
  const ask = (numbers: number) =>
    requestPlan(context, { numbers, contact: ' Ann\n+49 151 1 ', note: 'Two shops' });
  await ask(2);
  await look();
  await ask(3);
  await look();
  await withdrawPlanRequest(context);
  await ask(3);
  await look();
  expect(mailed()).toEqual([`${operator}: A plan was requested`]);
  expect(mailTo(operator)?.text).toContain('For 2 numbers. Contact: Ann +49 151 1\r\n\r\nNote: Two shops');
  expect(mailTo(operator)?.text.trim()).toMatch(/\/admin\/accounts\r?\n/);
  // Members see what they asked for on the page of their plan.
  expect((await listAlerts({ database, accountId, userId })).alerts).toEqual([]);
  await activatePlan({ ...context, actor: { kind: 'cli' } }, { numbersIncluded: 3, paidUntil: '2999-12-31' });
  await look();
  await look();
  expect(mailed()).toEqual([`${email}: Your plan is enabled`, `${operator}: A plan was requested`].sort());
});

/** As if so much time had passed that a plan's end has cancelled all its messages. */
async function afterCancelling(): Promise<void> {
  const earlier = sql`- interval '40 seconds'`;
  await database.sql`update messages set settled_at = settled_at ${earlier} where error_code = 'plan_ended'`;
  await database.sql`update alerts set happened_at = happened_at ${earlier}, created_at = created_at ${earlier}`;
  await database.sql`update alert_mails set next_try_at = next_try_at ${earlier}`;
  await database.sql`update requests set at = at ${earlier}`;
  await database.sql`update payments set created_at = created_at ${earlier}`;
}

test('messages that a smaller plan cancels are mailed once with their count, and again for later ones', async () => {
  const { email, accountId, numberId } = await makeLinked();
  const cancelled = async (count: number) => {
    for (let i = 0; i < count; i++) await queueMessage(database, { accountId, numberId });
    await cancelWaiting(database.db, { accountId, ...because('plan_ended', 'excess') });
    await raiseAlerts({ database }); // not all of them may have ended yet
    await afterCancelling();
    await look();
    await look();
    return smtp.mails
      .filter(({ to, headers }) => to[0] === email && /cancelled/.test(headers.subject ?? ''))
      .map(({ headers }) => headers.subject?.split(' – ')[0]);
  };
  expect(await cancelled(3)).toEqual(['3 waiting messages were cancelled']);
  expect(mailTo(email)?.text).toContain('The plan no longer includes their number.');
  expect(mailTo(email)?.text).toContain('/messages?status=cancelled');
  expect(await cancelled(1)).toEqual([
    '3 waiting messages were cancelled',
    '1 waiting message was cancelled',
  ]);
});

test('a plan’s end is one mail with what it cancelled and refused, and the mails about the next payments say it once', async () => {
  const { email, userId, accountId, numberId } = await makeLinked();
  const cli = { kind: 'cli' } as const;
  const context = { database, accountId, actor: cli };
  const refuse = () => logRequest({ accountId, numberId }, { status: 402, errorCode: 'plan_inactive' });
  const lines = () => mailed().filter((line) => line.startsWith(email));
  const textOf = (subject: string) =>
    smtp.mails.findLast(({ to, headers }) => to[0] === email && headers.subject?.startsWith(subject))?.text;
  for (let i = 0; i < 3; i++) await queueMessage(database, { accountId, numberId });
  // Before the end, and so not because of it.
  await refuse();
  await deactivatePlan(context);
  await refuse();
  await look();
  expect(lines()).toEqual([]);
  await afterCancelling();
  await look();
  await look();
  expect(lines()).toEqual([`${email}: The plan has ended: nothing is sent`]);
  const ended = textOf('The plan has ended');
  expect(ended).toContain('3 waiting or scheduled messages were cancelled when the plan ended, to +');
  expect(ended).toMatch(/1 request to send was refused since it ended, up to .*They are not sent later\./);
  expect(ended).toContain('/messages?status=cancelled');
  const listed = async () => (await listAlerts({ database, accountId, userId })).alerts[0]?.what;
  expect(await listed()).toContain(
    '3 waiting or scheduled messages were cancelled when the plan ended, to +',
  );

  await refuse();
  const terms = { numbersIncluded: 3, paidUntil: '2999-12-31' };
  await activatePlan(context, terms);
  await look();
  const enabled = textOf('Your plan is enabled');
  expect(enabled).toContain('3 waiting or scheduled messages were cancelled when the plan ended, to +');
  expect(enabled).toContain('2 requests to send were refused while the plan did not work');
  expect(enabled).toContain('/messages?status=cancelled');
  expect(enabled).toContain('/requests?show=unsent&code=plan_inactive');
  expect(await planLoss({ database, accountId })).toMatchObject({ over: true, cancelled: 3, refused: 2 });

  await activatePlan(context, { ...terms, amountCents: 7500 });
  await look();
  expect(textOf('Your payment was recorded')).toContain('You can send.');
  expect(lines()).toHaveLength(3);
});

test('several processes that check at the same time report each event once', async () => {
  const numbers: Awaited<ReturnType<typeof makeLinked>>[] = [];
  while (numbers.length < 6) numbers.push(await makeLinked());
  for (const { holding } of numbers) await become(holding, 'LOGGED_OUT');
  const stops = Array.from({ length: 4 }, () => watchAlerts({ database }, { mailer: mailer(), everyMs: 20 }));
  await expect.poll(() => smtp.mails.length, { timeout: 40_000 }).toBeGreaterThanOrEqual(12);
  await Promise.all(stops.map((stop) => stop()));
  await look();
  expect(mailed()).toEqual(
    [...new Set(smtp.mails.map(({ to }) => to[0]))]
      .flatMap((to) => (to === operator ? numbers.map(() => to) : [to]))
      .map((to) => `${to}: Shop is logged out`)
      .sort(),
  );
});

test('each person chooses for each topic whether alerts are mailed', async () => {
  const { email, accountId, userId, holding } = await makeLinked();
  const colleague = await makeAccount(database, 0);
  await database.sql`
    insert into memberships (account_id, user_id, role) values (${accountId}, ${colleague.userId}, 'member')`;
  await setMailTime({ database, userId }, { topic: 'numbers', time: 'never' });
  await setMailTime({ database, ...colleague }, { topic: 'plan', time: 'never' });
  expect(await mailTimesOf({ database, userId })).toEqual({ times: { numbers: 'never' }, mailed: false });
  await become(holding, 'LOGGED_OUT');
  await look();
  expect(mailed()).toEqual(
    [`${colleague.email}: Shop is logged out`, `${operator}: Shop is logged out`].sort(),
  );
  await setMailTime({ database, userId }, { topic: 'numbers', time: 'now' });
  await connectAgain(holding);
  await look();
  expect(mailed()).toContain(`${email}: Shop is connected again`);
});

test('the alerts of a day are mailed together at 8 in the account’s time zone, by one process, and kept when that fails', async () => {
  const { email, accountId, userId, holding } = await makeLinked();
  const other = await makeNumber(database, { accountId, label: 'Warehouse' });
  const second = await linkAsWorker(database, { numberId: other });
  await database.sql`update accounts set time_zone = 'Asia/Tokyo' where id = ${accountId}`;
  await setMailTime({ database, userId }, { topic: 'numbers', time: 'daily' });
  await become(holding, 'LOGGED_OUT');
  await become(second, 'LOGGED_OUT');
  await look();
  expect(mailTo(email)).toBeUndefined();
  const due = await database.sql<{ hour: number; inHours: number }[]>`
    select extract(hour from next_try_at at time zone 'Asia/Tokyo')::int as hour,
      extract(epoch from next_try_at - clock_timestamp())::float8 / 3600 as "inHours"
    from alert_mails where user_id = ${userId}`;
  expect(due).toHaveLength(2);
  for (const { hour, inHours } of due) {
    expect(hour).toBe(8);
    expect(inHours).toBeGreaterThan(0);
    expect(inHours).toBeLessThanOrEqual(25);
  }

  const makeDue = () => database.sql`
    update alert_mails set next_try_at = clock_timestamp() where user_id = ${userId} and sent_at is null`;
  await makeDue();
  smtp.refuse(true);
  await look();
  smtp.refuse(false);
  await makeDue();
  await Promise.all(Array.from({ length: 4 }, () => mailAlerts({ database }, mailer())));
  const digests = smtp.mails.filter(({ to }) => to[0] === email);
  expect(digests).toHaveLength(1);
  expect(digests[0]?.headers.subject).toMatch(/^2 alerts since yesterday – /);
  expect(digests[0]?.text).toContain('Shop is logged out');
  expect(digests[0]?.text).toContain('Warehouse is logged out');
  await makeDue();
  await look();
  expect(smtp.mails.filter(({ to }) => to[0] === email)).toHaveLength(1);
});

test('a slow mail server gets several mails at a time, each once', async () => {
  const accounts: Awaited<ReturnType<typeof makeLinked>>[] = [];
  for (let n = 0; n < 5; n += 1) accounts.push(await makeLinked());
  for (const { holding } of accounts) await become(holding, 'LOGGED_OUT');
  await raiseAlerts({ database });
  smtp.hold();
  const mailing = Promise.all([mailAlerts({ database }, mailer()), mailAlerts({ database }, mailer())]);
  await vi.waitFor(() => expect(smtp.waiting()).toBeGreaterThan(2), { timeout: 15_000 });
  smtp.release();
  const [one, other] = await mailing;
  expect(one + other).toBe(10);
  expect(mailed()).toEqual(
    accounts
      .flatMap(({ email }) => [`${email}: Shop is logged out`, `${operator}: Shop is logged out`])
      .sort(),
  );
});

test('an alert that cannot be looked for does not keep the others from being raised and mailed', async () => {
  const { email, holding } = await makeLinked();
  await become(holding, 'LOGGED_OUT');
  await database.sql`alter table page_builds rename to away`;
  const stop = watchAlerts({ database }, { mailer: mailer(), everyMs: 20 });
  try {
    await expect(raiseAlerts({ database })).rejects.toThrow();
    await expect.poll(mailed, { timeout: 10_000 }).toContain(`${email}: Shop is logged out`);
  } finally {
    await stop();
    await database.sql`alter table away rename to page_builds`;
  }
});

test('a removed member gets none of the account’s mails that were still to be sent', async () => {
  const { accountId, userId, email, holding } = await makeLinked();
  const colleague = await makeAccount(database, 0);
  await database.sql`insert into memberships (account_id, user_id, role) values (${accountId}, ${colleague.userId}, 'member')`;
  await setMailTime({ database, userId: colleague.userId }, { topic: 'numbers', time: 'daily' });
  await become(holding, 'LOGGED_OUT');
  smtp.refuse(true);
  await look();
  smtp.refuse(false);
  const context = { database, accountId, actor: { kind: 'user', userId, address: null } } as const;
  await removePerson(context, { userId: colleague.userId });
  await database.sql`update alert_mails set next_try_at = clock_timestamp() where sent_at is null`;
  await look();
  expect(mailed()).toEqual([`${email}: Shop is logged out`, `${operator}: Shop is logged out`].sort());
});

test('an alert of a kind that only a later version knows is left to that version, in the mails and in the lists', async () => {
  const { accountId, userId, email, holding } = await makeLinked();
  await database.sql`
    with made as (
      insert into alerts (id, event_key, account_id, kind, happened_at)
      values ('alt_later', 'later:1', ${accountId}, 'of_a_later_version', clock_timestamp()) returning id
    ) insert into alert_mails (alert_id, user_id, next_try_at)
      select made.id, u.id, clock_timestamp() - interval '1 hour' from made, users u where u.email = any(${[email, operator]})`;
  await become(holding, 'LOGGED_OUT');
  await look();
  expect(mailed()).toEqual([`${email}: Shop is logged out`, `${operator}: Shop is logged out`].sort());
  const left = await database.sql`select tries from alert_mails where alert_id = 'alt_later'`;
  expect(left).toEqual([{ tries: 0 }, { tries: 0 }]);
  const kinds = (alerts: { kind: string }[]) => alerts.map(({ kind }) => kind);
  expect(kinds((await listAlerts({ database, accountId, userId })).alerts)).toEqual(['logged_out']);
  expect(kinds((await listAllAlerts({ database }, { before: null, limit: 10 })).rows)).toEqual([
    'logged_out',
  ]);
});

test('no mail is lost while the mail server is unreachable, and each is sent once when it is back', async () => {
  const { email, holding } = await makeLinked();
  smtp.refuse(true);
  await become(holding, 'LOGGED_OUT');
  await look();
  await look();
  expect(smtp.mails).toEqual([]);
  smtp.refuse(false);
  await database.sql`update alert_mails set next_try_at = clock_timestamp() where sent_at is null`;
  await look();
  await look();
  expect(mailed()).toEqual([`${email}: Shop is logged out`, `${operator}: Shop is logged out`].sort());
});

test('a restriction raises one alert each time it begins, with its end', async () => {
  const { accountId, email } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Workshop' });
  const holding = await linkAsWorker(database, { numberId });
  const until = Date.parse('2099-05-04T10:20:00Z');
  const locked = { timelock: { kind: 'DEFAULT', until }, cap: null, checkpoint: null };
  await writeLimits(database, holding, locked);
  expect(await look()).toBe(1);
  expect(mailed()).toContain(`${email}: WhatsApp restricts Workshop`);
  expect(smtp.mails.at(-1)?.text).toContain('4 May 2099, 10:20 UTC');
  await writeLimits(database, holding, { ...locked, timelock: { kind: 'DEFAULT', until: until + 60_000 } });
  expect(await look()).toBe(0);
  await writeLimits(database, holding, { ...locked, timelock: null });
  expect(await look()).toBe(1);
  expect(mailed()).toContain(`${email}: WhatsApp no longer restricts Workshop`);
  await writeLimits(database, holding, { ...locked, timelock: null, checkpoint: 'PASSKEY' });
  expect(await look()).toBe(1);
  expect(smtp.mails.at(-1)?.text).toContain('asks for a check');
  expect(smtp.mails.at(-1)?.text).not.toContain('429');
  await writeLimits(database, holding, { ...locked, timelock: null });
  expect(await look()).toBe(1);
  expect(mailed()).toContain(`${email}: WhatsApp no longer asks for a check of Workshop`);
});

/** Looks for alerts, and counts the statements of that. */
function countedPasses() {
  let statements = 0;
  const db = new Proxy(database.db, {
    get: (target, name, receiver) => {
      if (name === 'execute') statements += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { pass: () => raiseAlerts({ database: { ...database, db } }), statements: () => statements };
}

test('the alerts of 1,200 numbers at once need few statements, and each is raised once by two processes', async () => {
  const { accountId, numberId, holding } = await makeLinked();
  await become(holding, 'LOGGED_OUT');
  await database.sql`
    insert into numbers select (jsonb_populate_record(n, jsonb_build_object(
      'id', n.id || i, 'phone_number', (491600000000 + i)::text, 'sandbox_phone', null))).*
    from numbers n cross join generate_series(1, 1199) i where n.id = ${numberId}`;
  await database.sql`
    insert into number_events (number_id, status)
    select id, 'LOGGED_OUT' from numbers where account_id = ${accountId} and id <> ${numberId}`;
  const { pass, statements } = countedPasses();
  const raised = await Promise.all([pass(), pass()]);
  expect(raised[0] + raised[1]).toBe(1200);
  expect(statements()).toBeLessThan(150);
  const stored = () => database.sql`
    select a.kind, count(*)::int as alerts, sum((select count(*) from alert_mails m where m.alert_id = a.id))::int as mails
    from alerts a where a.account_id = ${accountId} group by a.kind order by a.kind`;
  expect(await stored()).toEqual([{ kind: 'logged_out', alerts: 1200, mails: 2400 }]);

  await database.sql`
    insert into leases (number_id) select id from numbers where account_id = ${accountId} on conflict do nothing`;
  await database.sql`
    update leases set renewed_at = clock_timestamp()
    where number_id in (select id from numbers where account_id = ${accountId})`;
  await database.sql`
    insert into number_events (number_id, status) select id, 'CONNECTED' from numbers where account_id = ${accountId}`;
  await database.sql`
    update numbers set status = 'CONNECTED', status_since = clock_timestamp() - interval '20 seconds'
    where account_id = ${accountId}`;
  const before = statements();
  expect(await pass()).toBe(1200);
  expect(statements() - before).toBeLessThan(75);
  expect(await stored()).toEqual([
    { kind: 'logged_out', alerts: 1200, mails: 2400 },
    { kind: 'recovered', alerts: 1200, mails: 2400 },
  ]);
  // Each says what its own number does: some exceed the plan.
  const [details] = await database.sql`
    select count(*) filter (where facts #>> '{now,access}' = 'ok')::int as send,
      (select numbers_included from subscriptions where account_id = ${accountId}) as included
    from alerts where kind = 'recovered'`;
  expect(details?.send).toBe(details?.included);
});

test('plans that end soon cost one statement once they were reported, however many they are', async () => {
  const { pass, statements } = countedPasses();
  await pass();
  const quiet = statements();
  await database.sql`insert into accounts (id, name) select 'acc_ends' || n, 'Heron' from generate_series(1, 1200) n`;
  await database.sql`
    insert into subscriptions (account_id, numbers_included, updated_at, paid_until)
    select id, 1, now(), ${addDays(dateIn(settings.timeZone, new Date()), 5)}::date from accounts where id like 'acc_ends%'`;
  expect(await pass()).toBe(1200);
  const before = statements();
  expect(await pass()).toBe(0);
  expect(statements() - before).toBe(quiet);
});
