import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { KIND_RETRY_MS } from '#server/core/build-kinds.ts';
import { MESSAGE_TYPES, type MessageContent, type MessageType } from '#server/core/message.ts';
import { log } from '#server/platform/log.ts';
import { SAMPLES } from '../engine/drafts/samples.ts';
import { startWorld, until, type World } from '../testing/world.ts';
import { BuildKinds } from './dispatch/build-kinds.ts';

/** What a build of WhatsApp Web that cannot send one kind of message costs an installation. */

const NUMBERS = 8;
const CARD: MessageContent = { type: 'contact', contactName: 'Ana', contactPhone: '4915228817390' };

/** Serves files. Its address is a setting, which is read once. */
const files = await vi.hoisted(async () => {
  const { createServer } = await import('node:http');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
  vi.stubEnv('MEDIA_ALLOW_HOSTS', host);
  return { server, host };
});
files.server.on('request', (req, res) => {
  const type = MESSAGE_TYPES.find((one) => req.url === `/${one}`);
  const file = type && SAMPLES[type]().file;
  res.writeHead(200, { 'content-type': file?.mimeType }).end(file?.bytes);
});
/** A message of each kind. */
const contentOf = (type: MessageType): MessageContent => {
  const { content } = SAMPLES[type]();
  return 'url' in content ? { ...content, url: `http://${files.host}/${type}` } : content;
};

let world: World;
let numbers: Awaited<ReturnType<World['addLinkedNumber']>>[];
let builds = 0;

beforeAll(async () => {
  world = await startWorld();
  numbers = [];
  for (let n = 0; n < NUMBERS; n++) numbers.push(await world.addLinkedNumber());
});
afterAll(async () => {
  await world.stop();
  files.server.close();
  vi.unstubAllEnvs();
});
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
/** Each number gets a message of both kinds, which wait. */
const queueOnEach = (types: readonly MessageType[]) =>
  Promise.all(
    numbers.flatMap(({ key }, n) =>
      types.map((type, m) =>
        world.send(key, `49152288174${n}${m}`, contentOf(type), {
          mode: { kind: 'async', expiresInSeconds: 600 },
        }),
      ),
    ),
  );
const countSent = async (type: MessageType) => {
  const rows = await world.database.sql`
    select 1 from messages where type = ${type} and status = 'sent' and page_build = ${network().build}`;
  return rows.length;
};

test.each(MESSAGE_TYPES)(
  'a build that cannot send %s costs one message of it in the whole installation, and the others go on',
  async (type) => {
    const other = type === 'text' ? 'location' : 'text';
    network().failingKinds.add(type);
    await untilAllConnected();
    const opens = allOpens();
    await queueOnEach([type, other]);
    await until(async () => (await countSent(other)) === NUMBERS);
    await until(() => handedOver(type) === 1);
    const [first] = numbers;
    const refused = world.send(first?.key ?? '', '4915228817499', contentOf(type));
    await expect(refused).rejects.toMatchObject({
      code: 'not_connected',
      message: expect.stringContaining(`cannot be sent on WhatsApp Web build ${network().build}`),
      details: { numberStatus: 'CONNECTED', retryAfterSeconds: KIND_RETRY_MS / 1000 },
    });
    const sent = await world.send(first?.key ?? '', '4915228817498', contentOf(other));
    expect(sent.message.status).toBe('sent');
    expect(await world.statusOf(first?.numberId ?? '')).toBe('CONNECTED');
    expect(handedOver(type)).toBe(1);
    expect(allOpens()).toEqual(opens);
  },
);

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
  await queueOnEach(['contact', 'text']);
  await until(() => handedOver('contact') === 1);
  await until(() => handedOver('contact') > 1);
  // The first has been acknowledged before any other was handed over.
  const [proven] = await world.database.sql`
    select proven_at is not null as proven from page_build_kinds where version = ${network().build} and kind = 'contact'`;
  expect(proven).toEqual({ proven: true });
  network().ackMs = 1;
  await until(() => handedOver('contact') >= NUMBERS);
});

test('a connected number tests every kind again: one that now fails is refused, and a message under way keeps its turn', async () => {
  await untilAllConnected();
  await untilTested();
  const { database } = world;
  const [first] = numbers;
  const numberId = first?.numberId ?? '';
  const [lease] = await database.sql<{ workerId: string; fence: number }[]>`
    select worker_id as "workerId", fence from leases where number_id = ${numberId}`;
  if (!lease) throw new Error('no lease');
  const holding = { numberId, ...lease };
  await database.sql`
    update page_build_kinds set proven_at = clock_timestamp() where kind = 'text' and version = ${network().build}`;
  await database.sql`
    update page_build_kinds set trying_number_id = ${numberId}, trying_until = clock_timestamp() + interval '1 minute'
    where kind = 'image' and version = ${network().build}`;
  network().brokenKinds.set('contact', 'it has no vCard').set('text', 'it has no body');
  const options = { ...{ numberId, profileDir: '', networkArgs: [] }, mayDispatch: async () => false };
  const session = network()
    .engine()
    .open(options, { state() {}, qr() {}, ack() {}, notSent() {} });
  const kinds = new BuildKinds({
    ...{ database, log, holding, repeatMs: 20 },
    ...{ network: () => 'sandbox', version: () => network().build },
  });
  kinds.begin(session, () => {});
  const found = () => database.sql<{ kind: string; failed: string | null; turn: string | null }[]>`
    select kind, failed_check as failed, trying_number_id as turn from page_build_kinds
    where version = ${network().build} and (failed_check is not null or trying_number_id is not null) order by kind`;
  await until(async () => (await found()).length === 2);
  kinds.stop();
  expect(await found()).toEqual([
    { kind: 'contact', failed: 'it has no vCard', turn: null },
    { kind: 'image', failed: null, turn: numberId },
  ]);
});
