import { setTimeout as delay } from 'node:timers/promises';
import { atStep } from './at-step.ts';
import type { FaultNumber } from './numbers.ts';
import { delaySlot, expectFate, fateOf, storedFor } from './oracle.ts';
import { type Posted, post, summaryOf } from './post.ts';
import { ACCEPTED, expectSent, expectTrue, MANY_TIMES, type Posts, type Row, resolvedFate } from './row.ts';
import { takeBack } from './take-back.ts';
import type { RefusedLogin } from './transport.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** A running number is refused: by its own self-test, because the page changed, or by WhatsApp at the login. */

/** Enough for a reload up to the self-test, and for the three reloads of an outdated page. */
const REFUSED_WITHIN_MS = 90_000;
const BAN_S = 8;
/** How long the service stays unavailable. */
const UNAVAILABLE_MS = 6_000;

interface Waiting {
  sync: Posted;
  async: Posted;
}

/** A sync and an async message that wait for the number's next slot. */
async function waiting(world: World, number: FaultNumber, posts: Posts): Promise<Waiting> {
  const async = posts(post(world, number, { prefer: 'respond-async' }));
  await async.answer;
  const sync = posts(post(world, number));
  await until('the sync message waits', async () => (await storedFor(world, sync)).length === 1);
  return { sync, async };
}

/** While the number is refused, waiting callers get an answer, new requests are refused, async messages stay. */
async function whileRefused(
  world: World,
  number: FaultNumber,
  posts: Posts,
  { sync, async }: Waiting,
): Promise<string> {
  const refused = { callers: ['409'], stored: ['cancelled', 'expired'], delivered: [0] };
  const waited = expectFate(await fateOf(world, sync), refused);
  const meanwhile = summaryOf(await posts(post(world, number)).answer);
  if (meanwhile !== '409') throw new Error(`meanwhile the caller saw ${meanwhile}`);
  const [kept] = await storedFor(world, async);
  if (kept?.status !== 'queued') throw new Error(`the async message is ${kept?.status}`);
  return `waited ${waited}; meanwhile ${meanwhile}`;
}

/** Afterwards the number sends again, and the async message is sent once. */
async function afterwards(world: World, number: FaultNumber, posts: Posts, async: Posted): Promise<string> {
  await until('the async message is sent', () => isAccepted(world, async));
  const kept = expectFate(await fateOf(world, async), { callers: ['202'], stored: ACCEPTED, delivered: [1] });
  const next = posts(post(world, number));
  await expectSent(world, next);
  return `async ${kept}`;
}

/** True when WhatsApp's server accepted the message. */
export async function isAccepted(world: World, posted: Posted): Promise<boolean> {
  const accepted: readonly string[] = ACCEPTED;
  const stored = await storedFor(world, posted);
  return stored.length > 0 && stored.every(({ status }) => accepted.includes(status));
}

const buildRow = (when: 'waiting' | 'sending'): Row => ({
  name: `build-changed-${when}`,
  fault:
    when === 'waiting'
      ? 'the build changes under a running number while messages wait: its self-test fails'
      : 'the same while a message is dispatched',
  duplicates: true,
  // Through Chromium a build is the whole site's.
  sideBySide: ['browserless'],
  async run(world, posts, seed) {
    const number = await world.number();
    const sending = when === 'sending' ? await atStep(world, number, { posts, seed }) : null;
    if (!sending) await delaySlot(world, number);
    const held = await waiting(world, number, posts);
    const way = await world.transport.changeBuild(number, seed);
    try {
      await world.untilStatus(number, 'BLOCKED', REFUSED_WITHIN_MS);
      const refused = await whileRefused(world, number, posts, held);
      await world.transport.restoreBuild(number);
      await takeBack(world, number);
      const kept = await afterwards(world, number, posts, held.async);
      const handed = sending
        ? `${sending.stage}: ${expectTrue(await resolvedFate(world, sending.posted))}; `
        : '';
      return `${way}: ${handed}${refused}; ${kept}`;
    } finally {
      await world.transport.restoreBuild(number);
    }
  },
});

/** `back` reconnects the number. */
const loginRow = (
  { name, fault, refusal }: { name: string; fault: string; refusal: RefusedLogin },
  back: (world: World, number: FaultNumber) => Promise<void>,
): Row => ({
  name,
  fault: `${fault} while a message is dispatched and others wait`,
  ...MANY_TIMES,
  async run(world, posts, seed) {
    const number = await world.number();
    const { posted, stage } = await atStep(world, number, { posts, seed });
    const held = await waiting(world, number, posts);
    await world.transport.refuseLogins(number, refusal);
    try {
      let refused = '';
      if (refusal.reason !== 503) {
        await world.untilStatus(number, 'BLOCKED', REFUSED_WITHIN_MS);
        refused = `; ${await whileRefused(world, number, posts, held)}`;
      } else await world.untilStatus(number, 'RECONNECTING', REFUSED_WITHIN_MS);
      await back(world, number);
      const waited = refusal.reason === 503 ? `; waited ${await expectSent(world, held.sync)}` : '';
      const kept = await afterwards(world, number, posts, held.async);
      return `${stage}: ${expectTrue(await resolvedFate(world, posted))}${refused}${waited}; ${kept}`;
    } finally {
      await world.transport.acceptLogins(number);
    }
  },
});

export const REFUSED_ROWS: Row[] = [
  buildRow('waiting'),
  buildRow('sending'),
  loginRow(
    {
      name: 'login-banned',
      fault: 'WhatsApp bans the number, with a known end,',
      refusal: { reason: 402, expire: BAN_S },
    },
    async (world, number) => world.untilStatus(number, 'CONNECTED', REFUSED_WITHIN_MS),
  ),
  loginRow(
    { name: 'login-outdated', fault: 'WhatsApp refuses the page as outdated', refusal: { reason: 405 } },
    async (world, number) => {
      await world.transport.acceptLogins(number);
      await takeBack(world, number);
    },
  ),
  loginRow(
    { name: 'login-unavailable', fault: 'WhatsApp’s service is unavailable', refusal: { reason: 503 } },
    async (world, number) => {
      await delay(UNAVAILABLE_MS);
      await world.transport.acceptLogins(number);
      await world.untilStatus(number, 'CONNECTED', REFUSED_WITHIN_MS);
    },
  ),
];
