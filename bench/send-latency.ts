import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { openPool } from '#server/platform/db/pool.ts';
import { log } from '#server/platform/log.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { withSql } from '#server/testing/sql.ts';
import { resolveBrowser } from '#worker/engine/browser.ts';
import type { Client } from '#worker/engine/library.ts';
import { ENGINE_TIMES } from '#worker/engine/times.ts';
import { createClient } from '#worker/engine/whatsapp-web.ts';
import { networkArgs } from '#worker/network-args.ts';
import { type Stack, startStack } from '../e2e/stack.ts';
import { startChildServer } from './child-server.ts';
import { BENCH_TO, linkNumber, postText } from './link-number.ts';
import { productDatabaseUrl } from './product-database.ts';
import { summarise } from './statistics.ts';

/** By then the processes' code is hot, as in production. */
const WARM_UP = 100;
const ROUNDS = 10;
const PER_ROUND = 30;
/** The people who get first messages have the phone numbers after this one. */
const FIRST_PERSON = 491_520_000_000;
/**
 * Long enough for the work after a message (delivered, read, its caller's answer recorded): the number is idle
 * again.
 */
const IDLE_MS = 60;

/**
 * POST to 200 on an idle number, also for the first message to a person, beside three others on the same sandbox in the
 * same run: the library's own send with its acknowledgement in this process, a REST wrapper that only asks the
 * page for its state and sends, and one that also stores. The rounds alternate, so that all run under the same load.
 */
export async function benchSendLatency() {
  const stack = await startStack({
    env: { SANDBOX_SEND_INTERVAL_MS: '0', RATE_SENDS_PER_MINUTE: '1000000' },
  });
  try {
    const { key } = await linkNumber(stack);
    const library = await openLibrary(stack);
    const durable = await openDurableWrapper(stack, library.send);
    const post = (body: string) => postText(stack, key, body);
    let people = 0;
    const postToNewPerson = (body: string) => {
      people += 1;
      return postText(stack, key, body, String(FIRST_PERSON + people));
    };
    for (let i = 0; i < WARM_UP; i += 1) {
      await library.send(`warm ${i}`);
      await library.postToWrapper(`warm wrapper ${i}`);
      await durable.post(`warm durable ${i}`);
      await post(`warm ${i}`);
    }
    const direct: number[] = [];
    const wrapped: number[] = [];
    const stored: number[] = [];
    const posted: number[] = [];
    const first: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let i = 0; i < PER_ROUND; i += 1)
        direct.push(await timed(() => library.send(`direct ${round}.${i}`)));
      for (let i = 0; i < PER_ROUND; i += 1)
        wrapped.push(await timed(() => library.postToWrapper(`wrapped ${round}.${i}`)));
      for (let i = 0; i < PER_ROUND; i += 1)
        stored.push(await timed(() => durable.post(`stored ${round}.${i}`)));
      for (let i = 0; i < PER_ROUND; i += 1) posted.push(await timed(() => post(`posted ${round}.${i}`)));
      for (let i = 0; i < PER_ROUND; i += 1)
        first.push(await timed(() => postToNewPerson(`first ${round}.${i}`)));
    }
    await durable.close();
    await library.close();
    const [floor, wrapper, durableWrapper] = [summarise(direct), summarise(wrapped), summarise(stored)];
    const [ours, ofFirst] = [summarise(posted), summarise(first)];
    return {
      library: floor,
      wrapper,
      durableWrapper,
      post: ours,
      postOfFirstMessage: ofFirst,
      ratio: {
        p50: ratio(ours.p50, floor.p50),
        p95: ratio(ours.p95, floor.p95),
        'of a wrapper p50': ratio(ours.p50, wrapper.p50),
        'of a wrapper p95': ratio(ours.p95, wrapper.p95),
        'durable wrapper p50': ratio(durableWrapper.p50, floor.p50),
        'durable wrapper p95': ratio(durableWrapper.p95, floor.p95),
        'first message p50': ratio(ofFirst.p50, floor.p50),
        'first message p95': ratio(ofFirst.p95, floor.p95),
      },
    };
  } finally {
    await stack.stop();
  }
}

const ratio = (a: number, b: number) => Math.round((a / b) * 100) / 100;

async function timed(task: () => Promise<void>): Promise<number> {
  await delay(IDLE_MS);
  const from = performance.now();
  await task();
  return performance.now() - from;
}

/** The unmodified library on its own profile, without our code in the page, also behind HTTP. */
async function openLibrary(stack: Stack) {
  const browser = await resolveBrowser({ dataDir: stack.dataDir });
  const profileDir = path.join(stack.dataDir, 'bench-profile');
  const client: Client = createClient({
    browser,
    log,
    times: ENGINE_TIMES,
    profileDir,
    networkArgs: networkArgs('sandbox', stack.dataDir),
    onBrowser: async () => {},
    onInjectionFailed: () => {},
    signal: new AbortController().signal,
  });
  const ready = once(client, 'ready');
  client.once('qr', (qr: string) => void sandboxClient(stack.dataDir).scan({ phone: '999000000001', qr }));
  await client.initialize();
  await ready;
  await client.getNumberId(BENCH_TO);
  const acknowledged = new Map<string, () => void>();
  client.on('message_ack', (message, ack) => {
    if (Number(ack) >= 1) acknowledged.get(message.body)?.();
  });
  const acked = async (body: string, send: () => Promise<unknown>) => {
    const confirmed = new Promise<void>((resolve) => acknowledged.set(body, resolve));
    const message = await send();
    await confirmed;
    acknowledged.delete(body);
    return message;
  };
  const to = `${BENCH_TO}@c.us`;
  const server = createServer(async (request, response) => {
    const { body } = (await json(request)) as { body: string };
    if ((await client.getState()) !== 'CONNECTED') return response.writeHead(404).end();
    const message = await acked(body, () => client.sendMessage(to, body));
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wrapper = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async send(body: string) {
      await acked(body, () => client.sendMessage(to, body, { sendSeen: false, linkPreview: false }));
    },
    postToWrapper: (body: string) => postTo(wrapper, body),
    async close() {
      server.close();
      await client.destroy();
      await rm(profileDir, { recursive: true, force: true });
    },
  };
}

/**
 * The least that a wrapper of two processes must do to lose no message: the web process stores the message before it is
 * sent, this process stores the acknowledgement before it is answered, and PostgreSQL wakes the other one with all it
 * needs. It checks no key, limit or session, and claims nothing.
 */
async function openDurableWrapper(stack: Stack, send: (body: string) => Promise<void>) {
  const databaseUrl = await productDatabaseUrl(stack.dataDir);
  const pool = withSql(openPool(databaseUrl, 1));
  const { sql } = pool;
  await sql`create table bench_message (id uuid primary key, body text not null, acknowledged timestamptz)`;
  await pool.listen('bench_stored', async (payload) => {
    const { id, body } = JSON.parse(payload) as { id: string; body: string };
    await send(body);
    await sql`
      update bench_message set acknowledged = now() where id = ${id}
      returning pg_notify('bench_acknowledged', ${id})`;
  });
  const web = await startChildServer('durable-server.ts', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: stack.dataDir,
  });
  return {
    post: (body: string) => postTo(web.url, body),
    async close() {
      web.process.kill();
      await pool.end();
    },
  };
}

async function postTo(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ body }) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  await response.arrayBuffer();
}
