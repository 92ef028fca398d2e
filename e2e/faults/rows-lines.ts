import { setTimeout as delay } from 'node:timers/promises';
import { useHere as takeBack } from '#server/services/use-here.ts';
import { processesOf, profilePath } from '#worker/engine/profile.ts';
import { ACTOR, type FaultNumber } from './numbers.ts';
import { expectFate, untilStored } from './oracle.ts';
import { post, summaryOf } from './post.ts';
import { ACCEPTED, type Row, settledFate } from './row.ts';
import type { World } from './world.ts';

/** Faults of a page's line to WhatsApp that the page mends itself: no browser is restarted for them. */

const CHROMIUM = ['chromium'] as const;
const NOTICED_WITHIN_MS = 15_000;
/** From the server's return to the page's next attempt: as long as the outage, and what that takes. */
const backWithinMs = (outageMs: number) => outageMs + 30_000;

function browserPids(world: World, { numberId }: FaultNumber): string {
  return processesOf(profilePath(world.dataDir, numberId))
    .filter(({ command }) => !command.includes(' --type='))
    .map(({ pid }) => pid)
    .sort()
    .join(' ');
}

async function reasonOf(world: World, { numberId }: FaultNumber): Promise<string | null> {
  const [row] = await world.database.sql<{ reason: string | null }[]>`
    select status_reason as reason from numbers where id = ${numberId}`;
  return row?.reason ?? null;
}

/** A message meets a line that is down: it waits in the page and leaves once, automatically, when the line is back. */
const lineRow = (seconds: number, how: 'cut' | 'silent'): Row => ({
  name: `line-${how}-${seconds}`,
  fault: `the line is ${how} for ${seconds} s while a message is handed over`,
  duplicates: true,
  transports: CHROMIUM,
  long: seconds > 20,
  async run(world, posts) {
    const number = await world.number();
    const to = '491720000001';
    await posts(post(world, number, { to })).answer; // the page knows the recipient from here on
    const browser = browserPids(world, number);
    if (how === 'silent') await world.sandbox.offline({ phone: number.phone, silently: true });
    else await world.transport.rule(number, { stage: 'wire', action: 'late', ms: 2000 });
    const posted = posts(post(world, number, { to }));
    await untilStored(world, posted, 'sending');
    if (how === 'cut') await world.sandbox.offline({ phone: number.phone });
    await world.untilStatus(number, 'RECONNECTING', NOTICED_WITHIN_MS);
    const reason = await reasonOf(world, number);
    const meanwhile = summaryOf(await posts(post(world, number)).answer);
    if (meanwhile !== '409') throw new Error(`meanwhile the caller saw ${meanwhile}`);
    await delay(seconds * 1000);
    await world.sandbox.online({ phone: number.phone });
    await world.untilStatus(number, 'CONNECTED', backWithinMs(seconds * 1000));
    const fate = await settledFate(world, posted);
    if (browserPids(world, number) !== browser) throw new Error('the browser was restarted');
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
    transports: CHROMIUM,
    async run(world, posts) {
      const number = await world.number();
      await world.sandbox.replaced({ phone: number.phone });
      await world.untilStatus(number, 'CONFLICT', NOTICED_WITHIN_MS);
      const refused = summaryOf(await posts(post(world, number)).answer);
      if (refused !== '409') throw new Error(`the caller saw ${refused}`);
      const reason = await reasonOf(world, number);
      const { accountId, database } = world;
      await takeBack(database, { accountId, numberId: number.numberId, actor: ACTOR });
      await world.untilStatus(number, 'CONNECTED');
      const sent = { callers: ['200'], stored: ACCEPTED, delivered: [1] };
      const back = expectFate(await settledFate(world, posts(post(world, number))), sent);
      return `${refused}, CONFLICT: "${reason}"; used here again: ${back}`;
    },
  },
];
