import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '#server/core/id.ts';
import { TEST_EVENT_TYPE } from '#server/core/webhooks/inspect.ts';
import { BATCH_MAX } from '#server/dashboard/batch.ts';
import { insertTestEvent } from '#server/webhooks/queries/endpoints.ts';
import { newNumber } from '../e2e/new-number.ts';
import { type DashboardClient, signIn } from '../e2e/security/dashboard-client.ts';
import { BENCH_PASSWORD } from './link-number.ts';
import { ask, CUSTOMER, type Load, repeat, type World } from './neighbour-world.ts';

const SESSIONS = 20;
const NUMBERS = 12;
const ENDPOINTS_OF_NUMBER = 10;
const ANSWER_MS = 9_000;
const EVENTS_EVERY_MS = 2_000;
const DOWNLOADS = 2;
/** A refused download is tried again as a person would. */
const AGAIN_MS = 2_000;

/** Makes something for a row once, however often its load begins. */
function once<T>(make: (world: World) => Promise<T>): (world: World) => Promise<T> {
  let made: Promise<T> | undefined;
  return (world) => {
    made ??= make(world);
    return made;
  };
}

async function newCustomer({ stack }: World, name: string, numbers = 1) {
  const who = { email: `${name}@example.com`, password: BENCH_PASSWORD };
  const instance = await newNumber(stack, { ...who, numbers });
  return { instance, who, client: await signIn(stack.url, who) };
}

const sessions = once(async (world) => {
  const { who, client } = await newCustomer(world, 'sessions');
  const cookies = [client.cookie];
  while (cookies.length < SESSIONS) cookies.push((await signIn(world.stack.url, who)).cookie);
  return cookies;
});

const confirm = { password: BENCH_PASSWORD };
const batch = Object.fromEntries(Array.from({ length: BATCH_MAX }, (_, n) => [n, confirm]));
const batchTarget = `/api/trpc/${Array(BATCH_MAX).fill('user.confirmPassword').join(',')}?batch=1`;

const passwords: Load = async (world) => {
  const cookies = await sessions(world);
  return repeat(SESSIONS, async (_, line) => {
    const from = { address: '198.51.100.4', cookie: cookies[line] ?? '' };
    await ask(world.stack, batchTarget, { ...from, json: batch });
    await ask(world.stack, '/api/trpc/user.confirmPassword', { ...from, json: confirm });
  });
};

async function signInAsOther({ stack }: World): Promise<void> {
  const { status } = await signIn(stack.url, { email: CUSTOMER, password: BENCH_PASSWORD });
  if (status !== 200) throw new Error(`a sign-in answered ${status}`);
}

/** Receives the events: at `/slow` it answers after seconds. */
const receiver = {
  arrived: new Map<string, () => void>(),
  server: createServer(async ({ url, headers }, response) => {
    if (url === '/slow') await delay(ANSWER_MS);
    receiver.arrived.get(String(headers['webhook-id']))?.();
    response.end();
  }),
};

/** The address that the product must permit. */
export async function listenForEvents(): Promise<string> {
  if (!receiver.server.listening)
    await new Promise<void>((done) => receiver.server.listen(0, '127.0.0.1', done));
  receiver.server.unref();
  return `127.0.0.1:${(receiver.server.address() as AddressInfo).port}`;
}

async function endpointOf(client: DashboardClient, path: string, numberId: string | null): Promise<string> {
  const { port } = receiver.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}`;
  const answer = await client.mutate('webhooks.create', { numberId, url, events: ['number.status'] });
  const { result } = (await answer.json()) as { result: { data: { id: string } } };
  return result.data.id;
}

async function sendEvent({ database }: World, endpointId: string, eventId = newId('event')): Promise<void> {
  await database.db.transaction(async (tx) => {
    const [row] = await database.sql<{ accountId: string }[]>`
      select account_id as "accountId" from webhook_endpoints where id = ${endpointId}`;
    const accountId = row?.accountId ?? '';
    await insertTestEvent(tx, { accountId, endpointId, eventId, type: TEST_EVENT_TYPE });
  });
}

const slowEndpoints = once(async (world) => {
  const { client } = await newCustomer(world, 'slow', NUMBERS);
  const endpoints: string[] = [];
  for (let n = 0; n < NUMBERS; n += 1) {
    const added = await client.mutate('numbers.add', { label: `Shop ${n}`, network: 'sandbox' });
    const { result } = (await added.json()) as { result: { data: { id: string } } };
    for (let m = 0; m < ENDPOINTS_OF_NUMBER; m += 1)
      endpoints.push(await endpointOf(client, '/slow', result.data.id));
  }
  return endpoints;
});

const ownEndpoint = once(({ customer }) => endpointOf(customer, '/fast', null));

const webhooks: Load = async (world) => {
  const endpoints = await slowEndpoints(world);
  return repeat(1, async () => {
    for (const endpointId of endpoints) await sendEvent(world, endpointId);
    await delay(EVENTS_EVERY_MS);
  });
};

async function getOtherEvent(world: World): Promise<void> {
  const endpointId = await ownEndpoint(world);
  const { promise, resolve } = Promise.withResolvers<void>();
  const eventId = newId('event');
  receiver.arrived.set(eventId, resolve);
  await sendEvent(world, endpointId, eventId);
  await promise;
}

const downloads: Load = ({ stack, cookie }) =>
  repeat(DOWNLOADS, async () => {
    const url = `${stack.url}/api/account/messages`;
    const headers = { cookie, 'x-forwarded-for': '198.51.100.5', 'x-forwarded-proto': 'http' };
    const answer = await fetch(url, { headers }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer?.status !== 200) await delay(AGAIN_MS);
  });

const PASSWORDS = 'one user’s right password in 20 browsers, alone and in batches';
const WEBHOOKS = '120 webhook endpoints that answer after 9 s';

export const CUSTOMER_LOADS: Record<string, Load> = {
  [PASSWORDS]: passwords,
  [WEBHOOKS]: webhooks,
  'two downloads of all messages, over and over': downloads,
};

/** What else of another customer a load might delay. */
export const OTHERS: Record<string, (world: World) => Promise<void>> = {
  [PASSWORDS]: signInAsOther,
  [WEBHOOKS]: getOtherEvent,
};
