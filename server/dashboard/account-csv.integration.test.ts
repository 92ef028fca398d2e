import { beforeEach, expect, test } from 'vitest';
import { sessionUser } from '#server/people/session-user.ts';
import { beginView } from '#server/people/view-account.ts';
import { insertRequests } from '#server/requests/queries/requests.ts';
import { testDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage, signedIn } from '#server/testing/domain.ts';
import { answerMessagesCsv, answerRequestsCsv } from './account-csv.ts';

const database = testDatabase();
let accountId: string;
let numberId: string;
let signIn: { signInId: string };
beforeEach(async () => {
  const made = await makeAccount(database);
  ({ accountId } = made);
  signIn = await signedIn(database, made);
  numberId = await makeNumber(database, { accountId, label: '=Shop' });
  await linkAsWorker(database, { numberId });
});

const ANSWERS = { messages: answerMessagesCsv, requests: answerRequestsCsv };

async function ask(
  list: keyof typeof ANSWERS,
  query: Record<string, string> = {},
  of: { signInId: string } | null = signIn,
): Promise<Response> {
  const user = of && (await sessionUser({ database }, of));
  const context = { database, user, accountChoice: null, address: '192.0.2.7', device: null };
  return ANSWERS[list](context, new URLSearchParams(query));
}
const lines = async (answer: Response) => (await answer.text()).trimEnd().split('\r\n');

const logRequest = (requestId: string, errorCode: string | null) =>
  insertRequests(database, [
    {
      ...{ accountId, numberId, keyId: 'key_1', at: new Date('2026-11-20T08:00:00Z'), requestId, errorCode },
      ...{ endpoint: 'POST /messages/text', status: errorCode ? 409 : 200, durationMs: 12, messageId: null },
      ...{ reference: '+1042', body: null, answer: null },
    },
  ]);

test('messages are exported by filter, without their texts, and no text becomes a formula', async () => {
  const sent = await queueMessage(database, { accountId, numberId });
  for (const status of ['sending', 'sent', 'read'])
    await database.sql`update messages set status = ${status}, reference = '=1' where id = ${sent}`;
  await queueMessage(database, { accountId, numberId });
  const answer = await ask('messages', { status: 'read' });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="wirebird-messages-.*\.csv"$/),
  });
  const [head, row, ...rest] = await lines(answer);
  expect(head).toContain('message id,number id,number,recipient,type,status');
  expect(row).toContain(`,${sent},${numberId},'=Shop,`);
  expect(row).toContain(",read,,'=1,");
  expect(rest).toEqual([]);
  expect(await lines(await ask('messages'))).toHaveLength(3);
});

test('a message whose read alone was reported was delivered by then, as the API says', async () => {
  const read = await queueMessage(database, { accountId, numberId });
  await database.sql`insert into message_events (message_id, event, at) values (${read}, 'read', '2026-11-20T08:00:00Z')`;
  const [, row] = await lines(await ask('messages'));
  expect(row).toMatch(/,2026-11-20T08:00:00.000Z,2026-11-20T08:00:00.000Z$/);
});

test('a search with spaces around it exports what the list shows', async () => {
  const sent = await queueMessage(database, { accountId, numberId });
  for (const search of ['Good morning ', ' morning', '  '])
    expect((await lines(await ask('messages', { search })))[1], search).toContain(sent);
});

test('requests are exported by filter', async () => {
  await logRequest('request 1', null);
  await logRequest('request 2', 'not_connected');
  expect(await lines(await ask('requests', { refused: 'true' }))).toEqual([
    expect.stringContaining('started (UTC),request id,endpoint,status'),
    `2026-11-20T07:59:59.988Z,request 2,POST /messages/text,409,not_connected,12,key_1,${numberId},,,'+1042,`,
  ]);
  expect(await lines(await ask('requests'))).toHaveLength(3);
  const logged =
    await database.sql`select action from audit_log where account_id = ${accountId} and action like '%.csv'`;
  expect(logged).toEqual([{ action: 'requests.csv' }, { action: 'requests.csv' }]);
});

test.each(['messages', 'requests'] as const)('%s: nobody else gets them', async (list) => {
  const sent = await queueMessage(database, { accountId, numberId });
  await logRequest('request of ours', null);
  expect((await ask(list, {}, null)).status).toBe(401);
  const other = await makeAccount(database);
  const own = await ask(list, {}, await signedIn(database, other));
  const [, ...rows] = await lines(own);
  expect(rows.join()).not.toContain(sent);
  expect(rows).toEqual([]);
  await database.sql`update users set admin = true where id = ${other.userId}`;
  const viewer = await signedIn(database, other);
  const actor = { kind: 'user', userId: other.userId, address: null } as const;
  await beginView({ database, accountId, actor }, viewer);
  expect((await ask(list, {}, viewer)).status).toBe(403);
});

test('a filter that is not valid is refused with a sentence', async () => {
  const answer = await ask('messages', { status: 'never' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toBe('status is not valid. Choose the filters on the page.');
});
