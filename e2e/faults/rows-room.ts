import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { homeAt } from '#server/platform/embedded/home.ts';
import { runningServer } from '#server/platform/embedded/server.ts';
import type { FaultNumber } from './numbers.ts';
import { expectFate, fateOf } from './oracle.ts';
import { type Answer, type Posted, post, summaryOf } from './post.ts';
import { ACCEPTED, expectEither, type Posts, type Row, resolvedFate } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** The database has no space or no connection left while messages are posted. */

const NUMBERS = { chromium: 2, browserless: 4 };
const AGAIN_MS = 250;
const REFUSED_MIN = 3;
const BACK_WITHIN_MS = 90_000;
/** Enough for a cluster and one run; the row fills the rest. */
const DATABASE_MIB = 512;

interface Caller {
  number: FaultNumber;
  posted: Posted[];
  answers: Answer[];
  end(): Promise<void>;
}

/** A program that posts one message after another, whatever the answers are. */
function keepPosting(world: World, number: FaultNumber, posts: Posts): Caller {
  const caller: Caller = { number, posted: [], answers: [], end: async () => {} };
  let over = false;
  const done = (async () => {
    while (!over) {
      const posted = posts(post(world, number));
      caller.posted.push(posted);
      const answer = await posted.answer;
      caller.answers.push(answer);
      if (answer.status !== 200) await delay(AGAIN_MS);
    }
  })();
  caller.end = () => {
    over = true;
    return done;
  };
  return caller;
}

/** Resolves when each caller has had one more answer of 200. */
async function untilAllSend(callers: readonly Caller[]): Promise<void> {
  const from = callers.map(({ answers }) => answers.length);
  const sendsAgain = ({ answers }: Caller, n: number) =>
    answers.slice(from[n]).some(({ status }) => status === 200);
  await until('every number sends', () => callers.every(sendsAgain), BACK_WITHIN_MS);
}

/** Posts to the numbers in turn without awaiting the answers, until some are refused. */
async function postUntilRefused(world: World, numbers: readonly FaultNumber[], posts: Posts) {
  const posted: Posted[] = [];
  let refused = 0;
  await until('callers are refused', async () => {
    const number = numbers[posted.length % numbers.length] as FaultNumber;
    const one = posts(post(world, number));
    posted.push(one);
    void one.answer.then(({ status }) => {
      refused += status === 503 ? 1 : 0;
    });
    await delay(AGAIN_MS);
    return refused >= REFUSED_MIN;
  });
  return posted;
}

/** Posts to several numbers before, during and after `shortage`, and checks every message. */
async function postThrough(
  world: World,
  posts: Posts,
  shortage: { begin(): Promise<void>; end(): Promise<void> },
): Promise<string> {
  const numbers: FaultNumber[] = [];
  for (let place = 0; place < NUMBERS[world.transport.name]; place++) numbers.push(await world.number(place));
  const callers = numbers.map((number) => keepPosting(world, number, posts));
  const posted: Posted[] = [];
  try {
    await untilAllSend(callers);
    await shortage.begin();
    posted.push(...(await postUntilRefused(world, numbers, posts)));
    await shortage.end();
    await untilAllSend(callers);
  } finally {
    await Promise.all(callers.map((caller) => caller.end()));
  }
  posted.push(...callers.flatMap((caller) => caller.posted));
  const seen = new Set<string>();
  for (const one of posted) seen.add(await judge(world, one));
  return [...seen].sort().join('; ');
}

/**
 * A 503 means that nothing was accepted. An accepted message is sent, or is reported as not sent; if the shortage
 * outlasts a request in progress, its outcome is unknown.
 */
async function judge(world: World, posted: Posted): Promise<string> {
  const answer = await posted.answer;
  const caller = summaryOf(answer);
  if (answer.status === 503 && !answer.headers['retry-after']) throw new Error('a 503 without Retry-After');
  const fate = caller === '502 unknown' ? await resolvedFate(world, posted) : await fateOf(world, posted);
  const failed = ['nothing', 'failed', 'expired', 'cancelled'];
  switch (caller) {
    case '200':
      return expectFate(fate, { callers: ['200'], stored: ACCEPTED, delivered: [1] });
    case '502 unknown':
      return expectEither(fate, ['502 unknown'], ['unknown', ...failed]);
    default:
      return expectFate(fate, {
        callers: ['503', '409', '429', '502 not_sent'],
        stored: failed,
        delivered: [0],
      });
  }
}

/** Takes every free connection of the server. */
async function takeConnections(url: string): Promise<() => Promise<void>> {
  const taken: postgres.Sql[] = [];
  for (;;) {
    const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10 });
    try {
      await sql`select 1`;
      taken.push(sql);
    } catch (error) {
      await sql.end({ timeout: 1 });
      if ((error as { code?: string }).code !== '53300') throw error;
      return async () => {
        await Promise.all(taken.map((one) => one.end({ timeout: 1 })));
      };
    }
  }
}

export const ROOM_ROWS: Row[] = [
  {
    name: 'database-connections-taken',
    fault: 'every connection of the database taken while messages are posted',
    duplicates: true,
    embedded: true,
    async run(world, posts, seed) {
      // Only the web process, or the worker as well.
      const lines = seed % 2 === 0 ? [world.lines.web] : [world.lines.web, world.lines.worker];
      const own = await world.newLine();
      let giveBack = async () => {};
      try {
        return await postThrough(world, posts, {
          async begin() {
            for (const line of lines) {
              line.refusing = true;
              line.cut();
            }
            giveBack = await takeConnections(own.url);
            for (const line of lines) line.refusing = false;
          },
          end: () => giveBack(),
        });
      } finally {
        await giveBack();
      }
    },
  },
  {
    name: 'database-disk-full',
    fault: "the database's disk filled to the last byte while messages are posted",
    duplicates: true,
    long: true,
    embedded: true,
    ownWorld: { databaseMib: DATABASE_MIB },
    async run(world, posts, seed) {
      const { databaseVolume: volume } = world;
      if (!volume) throw new Error('the database has no volume of its own');
      try {
        return await postThrough(world, posts, {
          async begin() {
            volume.fill(0);
            // Its log still has space for a while; without it PostgreSQL itself ends.
            if (seed % 2 === 1) await fillLog(world);
          },
          end: async () => volume.free(),
        });
      } finally {
        volume.free();
      }
    },
  },
];

/** Makes the database start new log files until it ends because the disk is full. */
async function fillLog(world: World): Promise<void> {
  const home = homeAt(`${world.dataDir}/postgres`);
  const pid = runningServer(home)?.pid;
  await until('PostgreSQL has ended', async () => {
    await world.database.sql`select pg_switch_wal()`.catch(() => {});
    await world.database.sql`update clock_offset set by = by`.catch(() => {});
    return runningServer(home)?.pid !== pid;
  });
}
