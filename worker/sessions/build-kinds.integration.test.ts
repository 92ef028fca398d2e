import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { KIND_RETRY_MS } from '#server/core/build-kinds.ts';
import type { MessageContent } from '#server/core/message.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** What a build of WhatsApp Web that cannot send one kind of message costs an installation. */

const NUMBERS = 8;
const CARD: MessageContent = { type: 'contact', contactName: 'Ana', contactPhone: '4915228817390' };

let world: World;
let numbers: Awaited<ReturnType<World['addLinkedNumber']>>[];
let builds = 0;

beforeAll(async () => {
  world = await startWorld();
  numbers = [];
  for (let n = 0; n < NUMBERS; n++) numbers.push(await world.addLinkedNumber());
});
afterAll(() => world.stop());
/** All numbers start on a build that nobody has seen. */
beforeEach(async () => {
  const { network, database } = world;
  network.brokenKinds.clear();
  network.failingKinds.clear();
  network.handedOver.length = 0;
  network.build = `${++builds}`;
  network.ackMs = 1;
  // What the test before left waiting.
  await database.sql`delete from messages where status = 'queued'`;
  await database.sql`delete from page_builds`;
  await world.restartWorker();
});

const untilAllConnected = () =>
  Promise.all(numbers.map(({ numberId }) => world.untilStatus(numberId, 'CONNECTED')));
const untilTested = () =>
  until(async () => {
    const rows = await world.database
      .sql`select kind from page_build_kinds where version = ${network().build}`;
    return rows.length === 6;
  });
const network = () => world.network;
/** How often the session of each number was opened. */
const allOpens = () => numbers.map(({ numberId }) => world.opens(numberId));
const handedOver = (type: MessageContent['type']) =>
  network().handedOver.filter((given) => given === type).length;
/** Each number gets a card and a text, which wait. */
const queueOnEach = () =>
  Promise.all(
    numbers.flatMap(({ key }, n) => [
      world.send(key, `49152288174${n}0`, CARD, { mode: { kind: 'async', expiresInSeconds: 600 } }),
      world.send(
        key,
        `49152288174${n}1`,
        { type: 'text', body: 'hello' },
        { mode: { kind: 'async', expiresInSeconds: 600 } },
      ),
    ]),
  );
const sentTexts = async () => {
  const rows = await world.database.sql`
    select 1 from messages where type = 'text' and status = 'sent' and page_build = ${network().build}`;
  return rows.length;
};

test('a kind that fails when it is sent costs one message in the whole installation, and the others go on', async () => {
  network().failingKinds.add('contact');
  await untilAllConnected();
  const opens = allOpens();
  await queueOnEach();
  await until(async () => (await sentTexts()) === NUMBERS);
  await until(() => handedOver('contact') === 1);
  const [first] = numbers;
  const refused = world.send(first?.key ?? '', '4915228817499', CARD);
  await expect(refused).rejects.toMatchObject({
    code: 'not_connected',
    message: expect.stringContaining(`cannot be sent on WhatsApp Web build ${network().build}`),
    details: { numberStatus: 'CONNECTED', retryAfterSeconds: KIND_RETRY_MS / 1000 },
  });
  expect((await world.text(first?.key ?? '', '4915228817498', 'still sent')).message.status).toBe('sent');
  expect(await world.statusOf(first?.numberId ?? '')).toBe('CONNECTED');
  expect(handedOver('contact')).toBe(1);
  expect(allOpens()).toEqual(opens);
});

test('a kind that fails its test is never given to a page, and is refused in words', async () => {
  network().brokenKinds.set('contact', 'it has no body');
  await untilAllConnected();
  await untilTested();
  const [first] = numbers;
  await expect(world.send(first?.key ?? '', '4915228817497', CARD)).rejects.toMatchObject({
    code: 'not_connected',
    details: { numberStatus: 'CONNECTED' },
  });
  expect((await world.text(first?.key ?? '', '4915228817496', 'sent')).message.status).toBe('sent');
  expect(await world.statusOf(first?.numberId ?? '')).toBe('CONNECTED');
  expect(handedOver('contact')).toBe(0);
});

test('until WhatsApp has acknowledged a kind, one message of it is under way; then all go', async () => {
  await untilAllConnected();
  await untilTested();
  network().ackMs = 1_500;
  await queueOnEach();
  await until(() => handedOver('contact') === 1);
  await until(() => handedOver('contact') > 1);
  // The first has been acknowledged before any other was handed over.
  const [proven] = await world.database.sql`
    select proven_at is not null as proven from page_build_kinds where version = ${network().build} and kind = 'contact'`;
  expect(proven).toEqual({ proven: true });
  network().ackMs = 1;
  await until(() => handedOver('contact') >= NUMBERS);
});
