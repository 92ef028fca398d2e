import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts';
import { errors, type Wirebird, WirebirdError } from '../src/index.ts';
import { numbersOf, type TestNumber } from './numbers.ts';

/** Calls at the same time on each number. */
const AT_ONCE = 8;
/** WhatsApp refuses one in this many messages of each number. */
const REFUSED_EVERY = 40;

const sends = inject('sends');
/** The short run always meets every fault; each long run draws different ones. */
const seed = sends < 1000 ? 20_261_125 : Date.now();
const [unconfirmed, ...numbers] = numbersOf('neverTwice');
if (!unconfirmed) throw new Error('no numbers');
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy({ target: inject('product').baseUrl, rate: 0.35, seed });
});
afterAll(() => proxy.stop());

/** Enough tries for many faults in a row. A try ends early, because the proxy may never answer it. */
const PATIENCE = { maxAttempts: 40, attemptTimeoutMs: 3000, timeoutMs: 300_000 };

type Outcome = { body: string; sent: boolean; code: string | null };

const through = (number: TestNumber) => number.client({ ...PATIENCE, baseUrl: proxy.url });

/** Sends one message. Repeats it with the same key while its outcome is unknown. */
async function send(wirebird: Wirebird, body: string): Promise<Outcome> {
  const idempotencyKey = body;
  for (;;) {
    try {
      const { status } = await wirebird.messages.sendText({ to: '4915228817386', body }, { idempotencyKey });
      expect(status).toBe('sent');
      return { body, sent: true, code: null };
    } catch (error) {
      if (error instanceof errors.send_unknown) await delay(500);
      else if (!(error instanceof WirebirdError) || error.mayBeSent) throw error;
      else return { body, sent: false, code: error.code };
    }
  }
}

interface Share {
  number: TestNumber;
  bodies: string[];
}

async function sendShare({ number, bodies }: Share): Promise<Outcome[]> {
  const wirebird = through(number);
  const outcomes: Outcome[] = [];
  const left = [...bodies.entries()];
  const caller = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      if (next[0] % REFUSED_EVERY === 0) await number.rule({ stage: 'wire', action: 'refuse' });
      outcomes.push(await send(wirebird, next[1]));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return outcomes;
}

test(
  `of ${sends} messages through a proxy that loses, delays and duplicates none arrives twice, and every outcome is known`,
  async () => {
    // A retry of this test sends its own messages.
    const run = randomUUID();
    const bodies = Array.from({ length: sends }, (_, n) => `message ${n} of ${run}`);
    const share = Math.ceil(sends / numbers.length);
    const shares = numbers.map((number, n) => ({ number, bodies: bodies.slice(n * share, (n + 1) * share) }));
    const outcomes = (await Promise.all(shares.map(sendShare))).flat();
    await proxy.settled();
    const arrivals = (await Promise.all(numbers.map((number) => number.arrivals())))
      .flat()
      .filter(({ body }) => body.endsWith(run));
    const times = new Map<string, number>();
    for (const { body, repeats } of arrivals) times.set(body, (times.get(body) ?? 0) + 1 + repeats);
    expect(outcomes).toHaveLength(sends);
    expect([...times].filter(([, count]) => count > 1)).toEqual([]);
    // After a refusal, a request that the proxy repeats is a new attempt with the same key.
    const wrong = outcomes.filter(
      ({ body, sent }) => times.has(body) !== sent && (sent || !proxy.duplicated.has(body)),
    );
    expect(wrong).toEqual([]);
    const refused = outcomes.filter(({ sent }) => !sent);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['send_failed']));
    for (const [fault, count] of Object.entries(proxy.counts))
      expect([fault, count > 0]).toEqual([fault, true]);
    console.info(
      JSON.stringify({ sends, seed, sent: arrivals.length, refused: refused.length, requests: proxy.counts }),
    );
  },
  sends > 1000 ? 1_500_000 : 300_000,
);

test('after unknown the same key finds the outcome, and the message arrives once', async () => {
  const { messages } = through(unconfirmed);
  // The product waits 30 s for the confirmation.
  await unconfirmed.rule({ stage: 'after', action: 'late', ms: 36_000 });
  const body = { to: '4915228817386', body: 'not confirmed' };
  const error = await unconfirmed
    .client()
    .messages.sendText(body)
    .catch((reason: unknown) => reason);
  if (!(error instanceof errors.send_unknown) || error.idempotencyKey === null) throw error;
  const { idempotencyKey, messageId } = error;
  await expect
    .poll(
      () =>
        messages.sendText(body, { idempotencyKey }).then(
          ({ id, status }) => [id, status],
          ({ code }) => code,
        ),
      { timeout: 60_000, interval: 500 },
    )
    .toEqual([messageId, 'sent']);
  expect(await unconfirmed.arrivals()).toMatchObject([{ body: 'not confirmed', repeats: 0 }]);
}, 110_000);
