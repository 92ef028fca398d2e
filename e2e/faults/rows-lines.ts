import { setTimeout as delay } from 'node:timers/promises';
import { atStep } from './at-step.ts';
import type { FaultNumber } from './numbers.ts';
import { expectFate } from './oracle.ts';
import { post, summaryOf } from './post.ts';
import {
  ACCEPTED,
  ANYWHERE,
  expectTrue,
  MANY_TIMES,
  type Posts,
  type Row,
  reasonOf,
  resolvedFate,
} from './row.ts';
import { takeBack } from './take-back.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Faults of a page's connection to WhatsApp that the page repairs without a new browser. */

const NOTICED_WITHIN_MS = 15_000;
/** The page's next attempt may come as late as the outage lasted, plus the time to connect. */
const backWithinMs = (outageMs: number) => outageMs + 30_000;

/** A message during an outage waits in the page and is sent once, automatically, when the connection is back. */
const lineRow = (seconds: number, how: 'cut' | 'silent'): Row => ({
  name: `line-${how}-${seconds}`,
  fault: `the connection is ${how} for ${seconds} s while a message is dispatched`,
  ...MANY_TIMES,
  long: seconds > 20,
  async run(world, posts) {
    const number = await world.number();
    const to = '491720000001';
    await posts(post(world, number, { to })).answer; // the page knows the recipient from here on
    const browser = world.transport.browserOf(number);
    await world.transport.rule(number, { stage: 'wire', action: 'late', ms: 2000 });
    const posted = posts(post(world, number, { to }));
    await until('the page is about to write it', () => world.transport.struck(number));
    await world.transport.disconnect(number, { silently: how === 'silent' });
    let reason: string | null;
    let meanwhile: string;
    try {
      await world.untilStatus(number, 'RECONNECTING', NOTICED_WITHIN_MS);
      reason = await reasonOf(world, number);
      meanwhile = summaryOf(await posts(post(world, number)).answer);
      if (meanwhile !== '409') throw new Error(`meanwhile the caller saw ${meanwhile}`);
      await delay(seconds * 1000);
    } finally {
      await world.transport.reconnect(number);
    }
    await world.untilStatus(number, 'CONNECTED', backWithinMs(seconds * 1000));
    const fate = await resolvedFate(world, posted);
    if (world.transport.browserOf(number) !== browser) throw new Error('the browser was restarted');
    const seen = expectFate(fate, { callers: ['200', '502 unknown'], stored: ACCEPTED, delivered: [1] });
    return `${seen}; meanwhile ${meanwhile}: "${reason}"`;
  },
});

export const LINE_ROWS: Row[] = [
  lineRow(20, 'cut'),
  lineRow(60, 'cut'),
  lineRow(20, 'silent'),
  {
    name: 'line-replaced',
    fault: 'the session is opened elsewhere',
    sideBySide: ANYWHERE,
    async run(world, posts) {
      const number = await world.number();
      await world.transport.replaced(number);
      await world.untilStatus(number, 'CONFLICT', NOTICED_WITHIN_MS);
      const refused = summaryOf(await posts(post(world, number)).answer);
      if (refused !== '409') throw new Error(`the caller saw ${refused}`);
      const reason = await reasonOf(world, number);
      return `${refused}, CONFLICT: "${reason}"; used here again: ${await usedHereAgain(world, number, posts)}`;
    },
  },
  {
    name: 'line-replaced-sending',
    fault: 'the session is opened elsewhere while a message is dispatched',
    ...MANY_TIMES,
    async run(world, posts, seed) {
      const number = await world.number();
      const { posted, stage } = await atStep(world, number, { posts, seed });
      await world.transport.replaced(number);
      await world.untilStatus(number, 'CONFLICT', NOTICED_WITHIN_MS);
      await posted.answer;
      const again = await usedHereAgain(world, number, posts);
      return `${stage}: ${expectTrue(await resolvedFate(world, posted))}; used here again: ${again}`;
    },
  },
];

/** A person chooses "Use here": the number sends again. */
async function usedHereAgain(world: World, number: FaultNumber, posts: Posts): Promise<string> {
  await takeBack(world, number);
  const sent = { callers: ['200'], stored: ACCEPTED, delivered: [1] };
  return expectFate(await resolvedFate(world, posts(post(world, number))), sent);
}
