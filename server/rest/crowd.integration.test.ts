import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase, setDatabase } from '#server/platform/db/client.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';
import { reserve } from '#server/testing/sql.ts';

let world: RestWorld;
beforeAll(async () => {
  world = await startRest();
});
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => setDatabase(world.database));

const CONNECTIONS = 50;

interface Counted {
  /** How many answers had each status. */
  statuses: Record<string, number>;
  /** Heads of the answers of one status. */
  heads(status: number): string[];
}

/** Sends requests all at once, many on a connection, and waits for every answer. */
async function crowd(requests: string[]): Promise<Counted> {
  const perConnection = Math.ceil(requests.length / CONNECTIONS);
  const texts = await Promise.all(
    Array.from({ length: Math.ceil(requests.length / perConnection) }, (_, n) => {
      const own = requests.slice(n * perConnection, (n + 1) * perConnection);
      return new Promise<string>((resolve, reject) => {
        const socket = connect(world.port, '127.0.0.1');
        let text = '';
        let answered = 0;
        socket.setEncoding('latin1').on('data', (chunk: string) => {
          text += chunk;
          answered += chunk.split('HTTP/1.1 ').length - 1;
          if (answered < own.length) return;
          socket.destroy();
          resolve(text);
        });
        socket.once('error', reject);
        socket.write(own.join(''));
      });
    }),
  );
  const heads = texts.join('').split('HTTP/1.1 ').slice(1);
  const statuses: Record<string, number> = {};
  for (const head of heads) {
    const status = head.slice(0, 3);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return { statuses, heads: (status) => heads.filter((head) => head.startsWith(String(status))) };
}

function post(key: string, n: number, headers: Record<string, string> = {}): string {
  const body = JSON.stringify({ to: '4915228817386', body: `message ${n}` });
  const lines = Object.entries({
    host: 'localhost',
    'x-api-key': key,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `POST /v1/messages/text HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** How many messages of the caller's number are stored. */
async function storedOf({ numberId }: TestCaller): Promise<number | undefined> {
  const [row] = await world.database.sql<{ n: number }[]>`
    select count(*)::int as n from messages where number_id = ${numberId}`;
  return row?.n;
}

const mayWait = (caller: TestCaller, count: number) =>
  Array.from({ length: count }, (_, n) => post(caller.key, n, { prefer: 'respond-async' }));

test('of 5,000 requests at once a number accepts as many as may wait, and the others are 429', async () => {
  const caller = await makeCaller(world);
  const { statuses, heads } = await crowd(mayWait(caller, 5_000));
  const accepted = statuses[202] ?? 0;
  expect(accepted).toBeGreaterThan(0);
  expect(statuses).toEqual({ 202: accepted, 429: 5_000 - accepted });
  expect(heads(429).every((head) => /\r\nRetry-After: [1-9]/.test(head) && /\r\nX-Limit: /.test(head))).toBe(
    true,
  );
  expect(await storedOf(caller)).toBe(accepted);
  // A slow machine may refuse some of the first hundred because all connections are busy.
  while ((await crowd(mayWait(caller, 1))).statuses[202]);
  expect(await storedOf(caller)).toBe(100);
});

test('of 5,000 requests at once an account’s limit admits its share, and the rest are 429', async () => {
  const caller = await makeCaller(world, { numbersIncluded: 1 });
  const { statuses } = await crowd(mayWait(caller, 5_000));
  expect(Object.keys(statuses)).toEqual(['202', '429']);
  expect(statuses[429]).toBeGreaterThan(4_800);
});

test('5,000 reads at once need few database statements', async () => {
  const caller = await makeCaller(world, { numbersIncluded: 10 });
  const read = `GET /v1/status HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${caller.key}\r\n\r\n`;
  const { statuses } = await crowd(Array(5_000).fill(read));
  expect(statuses[503]).toBeUndefined();
  expect(statuses[200]).toBeGreaterThanOrEqual(1_200);
});

test('while every connection is busy, requests are 429 with Retry-After, and nothing is sent', async () => {
  const callers: TestCaller[] = [];
  while (callers.length < 10) callers.push(await makeCaller(world));
  const small = openDatabase(world.database.url, 2);
  setDatabase(small);
  // They pass the connections on for 4 s, as at work; the last two keep them until every request is answered.
  const answered = Promise.withResolvers<void>();
  const busy = Array.from({ length: 10 }, async (_, n) => {
    const connection = await reserve(small.pool);
    await Promise.race([answered.promise, ...(n < 8 ? [connection`select pg_sleep(1)`] : [])]);
    connection.release({ reusable: n < 8 });
  });
  const { statuses, heads } = await crowd(
    callers.flatMap(({ key }) =>
      Array.from({ length: 5 }, (_, n) => post(key, n, { prefer: 'respond-async' })),
    ),
  );
  answered.resolve();
  await Promise.all(busy);
  await small.close();
  expect(statuses).toEqual({ 429: 50 });
  expect(heads(429).every((head) => /\r\nRetry-After: [1-9]/.test(head))).toBe(true);
  const [row] = await world.database.sql<{ n: number }[]>`
    select count(*)::int as n from messages where account_id = any(${callers.map(({ accountId }) => accountId)})`;
  expect(row?.n).toBe(0);
});
