import { setTimeout as delay } from 'node:timers/promises';
import { closeHook, expectReported, type Hook, openHook, receivedAt } from './hook.ts';
import type { HookBehaviour } from './hook-files.ts';
import type { FaultNumber } from './numbers.ts';
import { post } from './post.ts';
import type { Posts, Row } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/**
 * Faults while events are delivered to a customer's backend. After each row the backend must know the true state
 * of each message. It has every event at least once, with one ID and one body, and those of a message in order.
 */

const MESSAGES = 3;
/** Long enough for a process that is about to be killed to have more than one event in progress. */
const MEANWHILE_MS = 500;
/** A good endpoint gets an event within this time, even on a busy machine. */
const PROMPT_MS = 5000;

const claims = (statement: string) => /set claimed_until = clock_timestamp\(\)/.test(statement);
const records = (statement: string) => /insert into webhook_attempts/.test(statement);

const WITHOUT_BROWSER = ['browserless'] as const;

interface Hooked {
  world: World;
  number: FaultNumber;
  hook: Hook;
  /** Posts one more message, which is accepted at once. */
  send(): void;
  /** Resolves when the backend has received an event about a message. */
  reached(): Promise<void>;
}

/** A row whose number has an endpoint at the backend; `work` causes the fault. */
const webhookRow = (
  row: Pick<Row, 'name' | 'fault'>,
  behaviour: HookBehaviour,
  work: (hooked: Hooked) => Promise<unknown>,
): Row => ({
  ...row,
  // These rows take minutes. Every run of the tests kills the backend in `backend.spec.ts`.
  long: true,
  events: true,
  transports: WITHOUT_BROWSER,
  sideBySide: WITHOUT_BROWSER,
  async run(world, posts) {
    const hooked = await openHooked(world, posts, behaviour);
    const { hook, send } = hooked;
    try {
      for (let n = 0; n < MESSAGES; n++) send();
      const noted = await work(hooked);
      const reported = await expectReported(world, hook);
      return noted === undefined ? reported : `${noted}: ${reported}`;
    } finally {
      await closeHook(world, hook);
    }
  },
});

async function openHooked(world: World, posts: Posts, behaviour: HookBehaviour): Promise<Hooked> {
  if (!world.backend.running) await world.backend.start();
  const number = await world.number();
  world.transport.acknowledge(number);
  const hook = await openHook(world, number, behaviour);
  return {
    ...{ world, number, hook },
    send: () => void posts(post(world, number, { prefer: 'respond-async' })),
    reached: () =>
      until('the backend has got an event', () =>
        receivedAt(world, hook).some(({ body }) => JSON.parse(body).type !== 'number.status'),
      ),
  };
}

/** Holds the worker's statements that `held` selects and kills it after `reached`. The next worker is not held. */
async function killWhileHeld(
  world: World,
  held: (statement: string) => boolean,
  reached: () => Promise<void>,
): Promise<void> {
  world.lines.worker.judge = (statement) => (held(statement) ? 'hold' : 'pass');
  await reached();
  await delay(MEANWHILE_MS);
  await world.worker.end('SIGKILL');
  world.lines.worker.restore();
  await world.worker.start();
}

export const WEBHOOK_ROWS: Row[] = [
  webhookRow(
    { name: 'webhook-killed-before', fault: 'worker SIGKILL before an event is delivered' },
    'prompt',
    ({ world, number }) =>
      killWhileHeld(world, claims, () =>
        until('an event waits', async () => {
          const rows = await world.database.sql`
            select 1 from webhook_deliveries d join webhook_events e on e.id = d.event_id
            where e.number_id = ${number.numberId} and d.state = 'pending'`;
          return rows.length > 0;
        }),
      ),
  ),
  webhookRow(
    { name: 'webhook-killed-in-flight', fault: 'worker SIGKILL, the request without an answer' },
    'held',
    async ({ world, reached }) => {
      await reached();
      await delay(MEANWHILE_MS);
      await world.worker.end('SIGKILL');
      await world.worker.start();
    },
  ),
  webhookRow(
    { name: 'webhook-killed-unmarked', fault: 'worker SIGKILL, answered and not recorded' },
    'prompt',
    ({ world, reached }) => killWhileHeld(world, records, reached),
  ),
  webhookRow(
    { name: 'webhook-web-killed', fault: 'web SIGKILL between a change and its delivery' },
    'held',
    async ({ world, reached }) => {
      await reached();
      await world.web.end('SIGKILL');
      await world.web.start();
    },
  ),
  webhookRow(
    { name: 'webhook-database-restarted', fault: 'PostgreSQL restarted while events are delivered' },
    'slow',
    async ({ world, reached }) => {
      await reached();
      await world.restartDatabase();
    },
  ),
  webhookRow(
    { name: 'webhook-receiver-killed', fault: 'the receiver SIGKILL, restarted 3 s later' },
    'slow',
    async ({ world, reached, send }) => {
      await reached();
      await world.backend.end('SIGKILL');
      send();
      await delay(3000);
      await world.backend.start();
    },
  ),
  webhookRow({ name: 'webhook-late', fault: 'the receiver answers after 10 s' }, 'late', async () => {}),
  webhookRow(
    { name: 'webhook-silent-neighbour', fault: 'one receiver never answers, another one does' },
    'prompt',
    async ({ world, number, hook, send }) => {
      const silent = await openHook(world, number, 'silent');
      try {
        for (let n = 0; n < MESSAGES; n++) send();
        await expectReported(world, hook);
        const late = receivedAt(world, hook).filter(
          ({ at, body }) => at - Date.parse(JSON.parse(body).timestamp) > PROMPT_MS,
        );
        if (late.length > 0) throw new Error(`the good receiver got ${late.length} events late`);
      } finally {
        await closeHook(world, silent);
      }
    },
  ),
  webhookRow(
    { name: 'webhook-two-workers', fault: 'two workers deliver, one of them SIGKILL' },
    'slow',
    async ({ world, hook, reached, send }) => {
      await world.otherWorker.start();
      try {
        await reached();
        for (let n = 0; n < MESSAGES; n++) send();
        await delay(MEANWHILE_MS);
        await world.worker.end('SIGKILL');
        await expectReported(world, hook);
      } finally {
        await world.otherWorker.end('SIGTERM');
        await world.worker.start();
      }
    },
  ),
];
