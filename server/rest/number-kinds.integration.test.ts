import { afterAll, beforeAll, expect, test } from 'vitest';
import { KIND_RETRY_MS } from '#server/core/build-kinds.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { numberStatusText } from '#server/core/number-status-text.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { listPageBuilds } from '#server/operations/page-builds.ts';
import { writeKinds } from '#server/operations/queries/build-kinds.ts';
import { writeNumberBuild } from '#server/operations/queries/page-builds.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

const BUILD = '2.3000.1043412001';
const CARD = { to: '4915228817386', contactName: 'Ana', contactPhone: '4915228817390' };
const ASYNC = { prefer: 'respond-async' };
let world: RestWorld;
let caller: TestCaller;
let holding: { numberId: string; workerId: string; fence: number };

beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world);
  const { numberId } = caller;
  const [lease] = await world.database.sql<{ workerId: string; fence: number }[]>`
    select worker_id as "workerId", fence from leases where number_id = ${numberId}`;
  if (!lease) throw new Error('no lease');
  holding = { numberId, ...lease };
  await writeNumberBuild(world.database.db, holding, { version: BUILD, kept: false });
});
afterAll(() => world[Symbol.asyncDispose]());

const found = (failed: Partial<Record<(typeof MESSAGE_TYPES)[number], string>>) =>
  writeKinds(
    world.database.db,
    { network: 'sandbox', holding },
    { version: BUILD, found: MESSAGE_TYPES.map((kind) => ({ kind, failedCheck: failed[kind] ?? null })) },
  );
const number = async () =>
  ((await world.call('/number', { key: caller.key })).body as { data: Record<string, unknown> }).data;
const sentence = async () =>
  numberStatusText(
    await getNumber({ database: world.database, accountId: caller.accountId }, { numberId: caller.numberId }),
    { since: '2 h', emptyIn: '24 s', keptIn: '5 h' },
  ).sentence;

test('a kind that fails is listed and named in one sentence, and only its requests get 409', async () => {
  const unproven = Object.fromEntries(MESSAGE_TYPES.map((type) => [type, 'unproven']));
  expect(await number()).toMatchObject({ kinds: unproven, statusReason: null });
  const fails = 'its file cannot be prepared';
  await found({ image: fails, document: fails, audio: fails, contact: 'it has no vCard' });
  await world.database.sql`update page_build_kinds set proven_at = clock_timestamp() where kind = 'text'`;

  const failing = `Files and contact cards cannot be sent on WhatsApp Web build ${BUILD}.`;
  expect(await number()).toMatchObject({
    ...{ status: 'CONNECTED', connected: true, statusReason: failing },
    kinds: {
      ...{ text: 'ok', location: 'unproven' },
      ...{ image: 'failing', document: 'failing', audio: 'failing', contact: 'failing' },
    },
  });
  expect(await sentence()).toMatch(new RegExp(`^Connected for 2 h. ${failing} A new message is sent within`));

  const refused = await world.call('/messages/contact', { key: caller.key, body: CARD });
  expect(refused).toMatchObject({
    status: 409,
    headers: { 'x-number-status': 'CONNECTED', 'retry-after': String(KIND_RETRY_MS / 1000) },
    body: {
      success: false,
      error: expect.stringContaining(`(contact) cannot be sent on WhatsApp Web build ${BUILD}`),
    },
  });
  const body = { to: CARD.to, body: 'Good morning' };
  const text = await world.call('/messages/text', { key: caller.key, body, headers: ASYNC });
  expect(text.status).toBe(202);
});

test('a number that is not connected says why, and not which kinds fail', async () => {
  await found({ contact: 'it has no vCard' });
  await world.database.sql`
    update numbers set status = 'LOGGED_OUT', cause = '{"code": "link_gone"}' where id = ${caller.numberId}`;
  expect(await number()).toMatchObject({
    statusReason: causeText({ code: 'link_gone' }),
    kinds: { contact: 'failing' },
  });
  expect(await sentence()).not.toContain('WhatsApp Web build');
  await world.database
    .sql`update numbers set status = 'CONNECTED', cause = null where id = ${caller.numberId}`;
});

test('the page of builds shows a failure until a test passes; requests are accepted again after the time for a new test', async () => {
  await found({ contact: 'it has no vCard' });
  await world.database
    .sql`update page_build_kinds set tested_at = tested_at - ${KIND_RETRY_MS} * interval '1 millisecond'`;
  expect(await number()).toMatchObject({ kinds: { contact: 'unproven' }, statusReason: null });
  expect(await sentence()).not.toContain('WhatsApp Web build');
  const accepted = await world.call('/messages/contact', { key: caller.key, body: CARD, headers: ASYNC });
  expect(accepted.status).toBe(202);
  const [build] = (await listPageBuilds({ database: world.database })).builds;
  expect(build?.kinds).toEqual(
    MESSAGE_TYPES.map((kind) => ({
      kind,
      result: { text: 'proven', contact: 'failed' }[kind as string] ?? 'tested',
      failedCheck: kind === 'contact' ? 'it has no vCard' : null,
    })),
  );
});

test('what another version of Wirebird found does not count, except a message that WhatsApp has taken', async () => {
  await found({ contact: 'it has no vCard' });
  await world.database.sql`update page_build_kinds set tested_by = 'an earlier one'`;
  expect(await number()).toMatchObject({ kinds: { text: 'ok', contact: 'unproven' }, statusReason: null });
  const [build] = (await listPageBuilds({ database: world.database })).builds;
  expect(build?.kinds.map(({ result }) => result)).toEqual(
    MESSAGE_TYPES.map((kind) => (kind === 'text' ? 'proven' : 'untested')),
  );
});
