import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EngineSession, Outgoing } from '#server/core/engine.ts';
import type { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import type { Holding } from '#server/core/lease.ts';
import { isSettled } from '#server/core/message-state.ts';
import { ADMISSION_WINDOW_MS } from '#server/core/pacing/waits.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import { answerFor } from '#server/messages/answer-for.ts';
import { endWaiting, findMessage, recordHangUp } from '#server/messages/queries/outcomes.ts';
import { delaySlotAfterUnknown } from '#server/messages/queries/slots.ts';
import { takeOverUnknown } from '#server/messages/queries/sweeps.ts';
import { cancelMessage } from '#server/numbers/cancel-message.ts';
import { claimLeases, leaseMs, releaseLease, renewLeases } from '#server/numbers/queries/leases.ts';
import { writeStatus } from '#server/numbers/queries/sessions.ts';
import { countStale, foldCounts } from '#server/operations/keep-counts.ts';
import { deleteMessages, eraseHashes } from '#server/operations/queries/retention.ts';
import { webProcessId } from '#server/operations/web-process.ts';
import { log } from '#server/platform/log.ts';
import { clientBoss, stopClientBoss } from '#server/platform/queue/boss.ts';
import { isSync } from '#server/schema/lane.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { MOVABLE_CLOCK, MOVABLE_DEFAULTS } from '#server/testing/movable-clock.ts';
import type { WithSql } from '#server/testing/sql.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { type Fate, Interleaver } from '../testing/interleaver.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { IntervalGuard } from './dispatch/interval-guard.ts';
import { dispatched, sweepMessages } from './dispatch/lost-claims.ts';
import { LeasedNumbers } from './leases/leased-numbers.ts';
import type { NumberRunner } from './runner.ts';

/**
 * Callers in two web processes, two workers, sweeps and retention change the messages of one number at once. Each of their
 * statements runs when the drawn order says so, connections and workers are lost between any two of them, and time passes
 * only when the order says so. At the end the stored messages must agree with what the page has sent.
 */

// Delays pass with the time of the test.
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: (ms: number, value: unknown) => new Promise((resolve) => setTimeout(resolve, ms, value)),
}));

const INTERVAL_MS = 10_000;
const LEASE_OVER_MS = 31_000;
const MINUTE_MS = 60_000;
const STEPS_MS = [
  ...[1000, 5000, INTERVAL_MS, INTERVAL_MS, INTERVAL_MS, INTERVAL_MS],
  ...[19_000, LEASE_OVER_MS, LEASE_OVER_MS, 11 * MINUTE_MS],
];
/** With so many things in progress, none begins. */
const OPEN_MAX = 5;
const CLAIM_COUNTS_MS = 250;
const RUNS = 8;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accountId: string;
/** The admission of two web processes: each has its own modules. */
let webs: typeof import('#server/messages/admission.ts')[];

beforeAll(async () => {
  database = await createTestDatabase();
  // The clock moves only in steps of time, so that a slow machine decides nothing.
  await database.sql.unsafe(`${MOVABLE_CLOCK}${MOVABLE_DEFAULTS}
    alter table clock_offset add column start timestamptz not null default true_clock_timestamp();
    create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile
      as 'select start + by from public.clock_offset';
    create or replace function pg_catalog.now() returns timestamptz language sql stable
      as 'select start + by from public.clock_offset';
    create table gone (like messages);
    create function keep_gone() returns trigger language plpgsql as
      $$ begin insert into gone select old.*; return old; end $$;
    create trigger keep_gone before delete on messages for each row execute function keep_gone()`);
  ({ accountId } = await makeAccount(database, 10_000));
  await database.sql`update accounts set metadata_retention_days = 0 where id = ${accountId}`;
  await createEndpoint({ database, accountId, actor: CLI }, { numberId: null, url: 'https://example.com/' });
  await countStale({ database });
  await clientBoss(database);
  const first = await import('#server/messages/admission.ts');
  vi.resetModules();
  webs = [first, await import('#server/messages/admission.ts')];
});
afterAll(async () => {
  await stopClientBoss();
  await database.drop();
});

/** What somebody begins. `of`: which accepted message. */
type Act =
  | { do: 'send'; web: number; to: number; body: number; key: string | null; mode: 'sync' | 'async' }
  | { do: 'answer' | 'leave' | 'cancel'; of: number; web: number }
  | { do: 'take' | 'lose' | 'release' | 'die' | 'sweep'; worker: number }
  | { do: 'erase' | 'fold' }
  | { do: 'time'; ms: number };

const one = fc.nat(1);
const send = fc.record({
  ...{ do: fc.constant('send' as const), web: one, to: one, body: one },
  key: fc.constantFrom(null, 'k1', 'k1', 'k2'),
  mode: fc.constantFrom('sync' as const, 'sync' as const, 'async' as const),
});
const ofMessage = fc.record({
  do: fc.constantFrom('answer' as const, 'answer' as const, 'leave' as const, 'cancel' as const),
  of: fc.nat(10),
  web: one,
});
const ofWorker = fc.record({
  do: fc.constantFrom(...(['lose', 'release', 'release', 'release', 'die', 'sweep'] as const)),
  worker: one,
});
const act = fc.oneof<fc.MaybeWeightedArbitrary<Act>[]>(
  { weight: 7, arbitrary: send },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(...STEPS_MS) }) },
  { weight: 2, arbitrary: ofMessage },
  { weight: 2, arbitrary: ofWorker },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('erase' as const, 'fold' as const) }) },
);

interface Write {
  messageId: string;
  atMs: number;
  fate: 'accepted' | 'refused' | 'lost';
}

interface Accepted {
  messageId: string;
  key: string | null;
  arrivedAtMs: number;
}

interface Worker {
  actor: string;
  workerId: string;
  database: WithSql;
  leased: LeasedNumbers;
  guard: IntervalGuard;
  fence: number;
  dispatcher: Dispatcher | null;
  page: Page | null;
}

/** A page, and what it still has to report. */
interface Page {
  open: boolean;
  reports: (() => void)[];
}

class Run {
  readonly numberId: string;
  readonly #interleaver = new Interleaver(database, database.url);
  readonly #choices: readonly number[];
  #choice = 0;
  #drains = false;
  readonly writes: Write[] = [];
  readonly #byWaId = new Map<string, Write>();
  readonly accepted: Accepted[] = [];
  /** IDs that were never accepted. */
  readonly refused: string[] = [];
  readonly said: { messageId: string; outcome: 'sent' | 'not_sent' | 'unknown' }[] = [];
  readonly failures: unknown[] = [];
  readonly #webs = [this.#interleaver.database('web 1'), this.#interleaver.database('web 2')] as const;
  readonly #other = this.#interleaver.database('operations');
  readonly #open = new Set<{ actor: string }>();
  #workers: Worker[] = [];

  constructor(numberId: string, choices: readonly number[]) {
    this.numberId = numberId;
    this.#choices = choices;
    this.#workers = [this.#newWorker(), this.#newWorker()];
  }

  async play(acts: readonly Act[]): Promise<void> {
    const left = [{ do: 'take', worker: 0 } as const, ...acts];
    for (;;) {
      const options = this.#options();
      const [next] = left;
      // A statement that waits for a lock has a limit by the true time.
      // Those in progress may all wait for time to pass.
      const hasRoom = this.#open.size < OPEN_MAX || options.length === 0;
      const mayBegin = next && hasRoom && !(next.do === 'time' && this.#interleaver.isBlocked);
      if (mayBegin)
        options.push(async () => {
          left.shift();
          await this.#begin(next);
        });
      if (options.length === 0 && left.length === 0) break;
      await options[this.#next() % options.length]?.();
    }
    await this.#drain();
  }

  async stop(): Promise<void> {
    for (const { actor } of this.#workers) await this.#interleaver.kill(actor);
    await this.#interleaver.stop();
    await database.sql`update numbers set intent = 'idle' where id = ${this.numberId}`;
    await database.sql`update leases set worker_id = null, expires_at = null where number_id = ${this.numberId}`;
  }

  #next(): number {
    return this.#choices[this.#choice++] ?? 0;
  }

  #options(): (() => Promise<void>)[] {
    const fate = this.#fate();
    const statements = Array.from(
      { length: this.#interleaver.ready },
      (_, n) => () => this.#interleaver.step(n, fate),
    );
    const reports = this.#workers.flatMap(({ page }) =>
      (page?.reports ?? []).map((report) => async () => {
        if (page) page.reports = page.reports.filter((other) => other !== report);
        report();
        await this.#interleaver.settle();
      }),
    );
    return [...statements, ...reports];
  }

  #fate(): Fate {
    const drawn = this.#drains ? 0 : this.#next() % 100;
    return drawn === 99 ? 'lost before' : drawn === 98 ? 'lost after' : 'runs';
  }

  async #begin(next: Act): Promise<void> {
    if (next.do === 'time') return this.#pass(next.ms);
    const worker = 'worker' in next ? this.#workers[next.worker] : undefined;
    if (next.do === 'die' && worker) return this.#die(worker);
    this.#start(worker?.actor ?? 'other', this.#act(next, worker));
    await this.#interleaver.settle();
  }

  #start(actor: string, work: Promise<unknown>): void {
    const open = { actor };
    this.#open.add(open);
    void work
      .catch((error: unknown) => {
        if (!isLost(error)) this.failures.push(error);
      })
      .finally(() => {
        this.#open.delete(open);
      });
  }

  #wake(): void {
    for (const { dispatcher } of this.#workers) dispatcher?.wake();
  }

  async #pass(ms: number): Promise<void> {
    await database.sql`update clock_offset set by = ${`${performance.now() + ms} milliseconds`}::interval`;
    vi.advanceTimersByTime(ms);
    for (const worker of this.#workers)
      this.#start(
        worker.actor,
        this.#renew(worker).then(() => this.#take(worker)),
      );
    this.#wake();
    await this.#interleaver.settle();
  }

  async #die(worker: Worker): Promise<void> {
    await this.#interleaver.kill(worker.actor);
    if (worker.page) worker.page.open = false;
    // What its process remembered.
    dispatched.clear();
    for (const open of this.#open) if (open.actor === worker.actor) this.#open.delete(open);
    this.#workers = this.#workers.map((other) => (other === worker ? this.#newWorker() : other));
  }

  async #act(next: Act, worker: Worker | undefined): Promise<unknown> {
    const { numberId } = this;
    switch (next.do) {
      case 'send':
        return this.#send(next);
      case 'answer':
        return this.#answer(next);
      case 'leave': {
        const { messageId } = this.#acceptedAt(next.of) ?? {};
        const hangUp = { webId: webProcessId(), hungUpAfterMs: 1 };
        return messageId && recordHangUp(this.#web(next.web).db, { messageId, ...hangUp });
      }
      case 'cancel': {
        const { messageId } = this.#acceptedAt(next.of) ?? {};
        const context = { database: this.#web(next.web), accountId, numberId };
        return (
          messageId && cancelMessage(context, { messageId }).catch(expectCode('not_cancellable', 'not_found'))
        );
      }
      case 'take':
        return worker && this.#take(worker);
      case 'lose':
        return worker && this.#lose(worker);
      case 'release':
        return worker && this.#release(worker);
      case 'sweep':
        return worker && sweepMessages(worker.database, worker.workerId);
      case 'erase':
        await eraseHashes(this.#other, { limit: 100 });
        return deleteMessages(this.#other, { limit: 100 });
      case 'fold':
        return foldCounts({ database: this.#other }, { batch: 3 });
      default:
        return;
    }
  }

  #acceptedAt(n: number): Accepted | undefined {
    return this.accepted[n % this.accepted.length];
  }

  #web(place: number): WithSql {
    return this.#webs[place as 0 | 1];
  }

  async #send({ web, to, body, key, mode }: Extract<Act, { do: 'send' }>): Promise<void> {
    const own = newId('message');
    const arrivedAtMs = performance.now();
    const context = { database: this.#web(web), accountId, numberId: this.numberId, keyId: null };
    try {
      const admission = await webs[web]?.admitMessage(context, own, {
        recipient: `12036300000000000${to}@g.us` as Recipient,
        content: { type: 'text', body: `${body}` },
        mode: mode === 'sync' ? { kind: 'sync' } : { kind: 'async', expiresInSeconds: null },
        ...{ arrivedAtMs, idempotencyKey: key, requestId: null, reference: null },
        // A repeat with a key is the same request.
        requestHash: key ?? `${to} ${body}`,
      });
      if (!admission) return;
      if (admission.joined) this.refused.push(own);
      this.accepted.push({ messageId: admission.messageId, key, arrivedAtMs });
      this.#wake();
    } catch (error) {
      if ((error as Error).name !== 'AppError' && !isLost(error)) throw error;
      if ((error as AppError).code !== 'send_unknown') this.refused.push(own);
    }
  }

  /** What a caller that waits for this message is answered, if that is known. */
  async #answer(next: { of: number; web: number }): Promise<void> {
    const wanted = this.#acceptedAt(next.of);
    if (!wanted) return;
    const { messageId, arrivedAtMs } = wanted;
    const web = this.#web(next.web);
    const params = { numberId: this.numberId, messageId };
    let message = await findMessage(web.db, params);
    if (message?.status === 'queued' && performance.now() >= arrivedAtMs + ADMISSION_WINDOW_MS)
      message = await endWaiting(web.db, {
        ...{ ...params, deadlineWithinMs: 0, status: 'expired', errorCode: 'deadline_passed' },
        outcome: { say: 'sync', seconds: ADMISSION_WINDOW_MS / 1000 },
      });
    if (!message || !isSettled(message.status)) return;
    const outcome = await answerFor({ database: web, numberId: this.numberId }, message).then(
      () => 'sent' as const,
      (error: AppError) => {
        if (isLost(error)) throw error;
        return error.details.sendOutcome;
      },
    );
    if (outcome) this.said.push({ messageId, outcome });
  }

  #newWorker(): Worker {
    const workerId = newId('worker');
    const own = this.#interleaver.database(workerId);
    const leased = new LeasedNumbers({
      ...{ database: own, log, workerId, volumeId: 'vol_test', profileDir: () => '', onEnded: () => {} },
      disk: null as never,
    });
    return {
      ...{ actor: workerId, workerId, database: own, leased, guard: new IntervalGuard(), fence: 0 },
      ...{ dispatcher: null, page: null },
    };
  }

  async #take(worker: Worker): Promise<void> {
    const { leased, workerId } = worker;
    const { numberId } = this;
    if (leased.has(numberId)) return worker.dispatcher ? undefined : this.#connect(worker);
    const renewedAtMs = performance.now();
    const claimed = await claimLeases(worker.database, { workerId, volumeId: 'vol_test', most: 1, free: 1 });
    const fence = claimed.find((one) => one.numberId === numberId)?.fence;
    if (fence === undefined) return;
    leased.claimed(numberId, { fence, renewedAtMs });
    const number = { abandon: () => this.#disconnect(worker), linked: true, movable: false };
    leased.add(numberId, { fence, leaseMs: leaseMs('whatsapp'), runner: number as unknown as NumberRunner });
    leased.forgetClaim(numberId);
    worker.fence = fence;
    await this.#connect(worker);
  }

  async #renew({ database: own, leased, workerId }: Worker): Promise<void> {
    const askedAtMs = performance.now();
    const renewed = new Map((await renewLeases(own, { workerId })).map((one) => [one.numberId, one.fence]));
    leased.keepRenewed(renewed, askedAtMs);
    const fence = renewed.get(this.numberId);
    if (fence === undefined || leased.has(this.numberId) || leased.isEnding(this.numberId)) return;
    await releaseLease(own, { numberId: this.numberId, workerId, fence }, { notify: false });
  }

  /** The other worker takes the number at once. */
  async #release(worker: Worker): Promise<void> {
    await worker.leased.abandon(this.numberId);
    const other = this.#workers.find((one) => one !== worker);
    if (other) this.#start(other.actor, this.#take(other));
  }

  async #lose(worker: Worker): Promise<void> {
    await this.#disconnect(worker);
    if (worker.leased.has(this.numberId)) await this.#connect(worker);
  }

  async #disconnect(worker: Worker): Promise<void> {
    const { dispatcher, page } = worker;
    if (page) page.open = false;
    dispatcher?.sessionLost();
    await dispatcher?.stop();
    if (worker.dispatcher === dispatcher) worker.dispatcher = null;
  }

  async #connect(worker: Worker): Promise<void> {
    const { workerId, fence, leased, guard, database: own } = worker;
    const holding: Holding = { numberId: this.numberId, workerId, fence };
    await writeStatus(own, holding, { status: 'CONNECTED', cause: null });
    const unknown = await takeOverUnknown(own, holding);
    await delaySlotAfterUnknown(own, holding, { intervalMs: INTERVAL_MS });
    if (worker.dispatcher) return;
    const page: Page = { open: true, reports: [] };
    const mayDispatch = async (waMessageId: string): Promise<boolean> => {
      const claimedMsAgo = await dispatcher.claimedMsAgo(waMessageId);
      if (claimedMsAgo === null || !page.open || !leased.holdsLease(holding)) return false;
      return claimedMsAgo < CLAIM_COUNTS_MS || leased.leaseAllowsDispatch(holding);
    };
    const reportAck = (waMessageId: string, ack: number) => {
      page.reports.push(() => {
        if (page.open) void dispatcher.ack(waMessageId, ack).catch(() => {});
      });
    };
    const session: Pick<EngineSession, 'send' | 'giveUp' | 'reconcile'> = {
      send: async ({ waMessageId, trace }: Outgoing) => {
        const drawn = this.#next() % 10;
        if (drawn === 9) throw new SendError(true, 'page', 'the page threw');
        if (!(await mayDispatch(waMessageId))) throw new SendError(true, 'fenced', 'held back');
        if (!page.open) throw new SendError(false, 'page', 'the session is closed');
        const fate = drawn === 8 ? 'refused' : drawn > 5 ? 'lost' : 'accepted';
        const write: Write = {
          messageId: trace?.messageId ?? '',
          atMs: performance.now(),
          fate,
        };
        this.writes.push(write);
        this.#byWaId.set(waMessageId, write);
        if (fate !== 'lost') reportAck(waMessageId, fate === 'accepted' ? 1 : -1);
        if (fate === 'accepted' && drawn > 3) reportAck(waMessageId, 2);
      },
      giveUp: () => new SendError(false, 'timeout', 'no answer in time'),
      reconcile: async ({ waMessageId }) => {
        const fate = this.#byWaId.get(waMessageId)?.fate;
        return fate === 'accepted' ? 1 : fate === 'refused' ? -1 : null;
      },
    };
    const dispatcher: Dispatcher = new Dispatcher({
      ...{ database: own, log, holding, intervalGuard: guard, ackTimeoutMs: 30_000 },
      session: session as EngineSession,
      pace: () => ({ sendIntervalSeconds: INTERVAL_MS / 1000, protected: false }),
      readFile: async () => null,
      pageBuild: () => null,
      kinds: {
        allowed: async () => null,
        acknowledged: async () => {},
        failed: async () => {},
        ended: async () => {},
      },
      holdsLease: () => leased.holdsLease(holding),
      onSilence: async () => {},
      onRefused: () => {},
    });
    worker.dispatcher = dispatcher;
    worker.page = page;
    dispatcher.start();
    for (const message of unknown) {
      const ack = await session.reconcile(message);
      if (ack !== null) await dispatcher.ack(message.waMessageId, ack);
    }
  }

  /** Until every message has its end, without further faults. Then another worker finds out what is still unknown. */
  async #drain(): Promise<void> {
    this.#drains = true;
    for (const last of [false, true]) {
      if (last) {
        for (const worker of this.#workers) await this.#die(worker);
        await this.#pass(LEASE_OVER_MS);
      }
      for (let round = 0; round < 60; round++) {
        if (round > 0) await this.#pass(INTERVAL_MS + 1000);
        const [worker] = this.#workers;
        if (worker) {
          this.#start(worker.actor, this.#take(worker));
          this.#start(worker.actor, sweepMessages(worker.database, worker.workerId));
        }
        await this.#interleaver.settle();
        for (;;) {
          const [option] = this.#options();
          if (!option) break;
          await option();
        }
        const open = await database.sql`
          select 1 from messages where number_id = ${this.numberId} and status in ('queued', 'sending')`;
        const isConnected = this.#workers.some(({ dispatcher }) => dispatcher !== null);
        if (open.length === 0 && this.#open.size === 0 && isConnected) break;
      }
    }
    await foldCounts({ database });
    expect(this.#open.size).toBe(0);
  }
}

/** The database did not answer. */
const isLost = (error: unknown): boolean =>
  error instanceof Error && error.name !== 'AppError' && ('code' in error || isLost(error.cause));

const expectCode =
  (...codes: string[]) =>
  (error: AppError) => {
    if (!codes.includes(error.code)) throw error;
  };

interface Stored {
  id: string;
  status: string;
  recipient: string;
  isSync: boolean;
  seq: number;
  dispatchedAt: Date | null;
  /** Deleted by retention, with its history. */
  isGone: boolean;
  events: string[];
  announced: string[];
  sequences: number[];
}

async function check(run: Run): Promise<void> {
  const { numberId, writes } = run;
  expect(run.failures).toEqual([]);
  const writesOf = (messageId: string) => writes.filter((write) => write.messageId === messageId);
  const left = (messageId: string) => writesOf(messageId).some(({ fate }) => fate !== 'refused');
  const arrived = (messageId: string) => writesOf(messageId).some(({ fate }) => fate === 'accepted');

  const stored = await database.sql<Stored[]>`
    select id, status, recipient, ${isSync('m')} as "isSync", seq::float8 as seq, dispatched_at as "dispatchedAt", "isGone",
      array(select event from message_events e where e.message_id = m.id
        and event not in ('accepted', 'slot_claimed', 'handed_over', 'repeated') order by e.id) as events,
      array(select data ->> 'status' from webhook_events w where w.subject = m.id order by (data ->> 'sequence')::int) as announced,
      array(select (data ->> 'sequence')::int from webhook_events w where w.subject = m.id order by 1) as sequences
    from (select *, false as "isGone" from messages union all select *, true from gone) m
    where number_id = ${numberId} order by seq`;
  const ends = new Map(stored.map(({ id, status }) => [id, status]));

  // At most one write, and an end that agrees with it.
  expect(new Set(writes.map(({ messageId }) => messageId)).size).toBe(writes.length);
  for (const [id, status] of ends) {
    if (['failed', 'expired', 'cancelled'].includes(status))
      expect([id, status, left(id)]).toEqual([id, status, false]);
    if (['sent', 'delivered', 'read'].includes(status))
      expect([id, status, arrived(id)]).toEqual([id, status, true]);
    expect(['queued', 'sending']).not.toContain(status);
  }
  for (const { id, status, isGone } of stored)
    if (status === 'unknown' && !isGone) expect([id, arrived(id)]).toEqual([id, false]);

  // Every answer stays true, what was accepted exists, and what was refused does not.
  for (const { messageId, outcome } of run.said) {
    if (outcome === 'sent') expect([messageId, arrived(messageId)]).toEqual([messageId, true]);
    if (outcome === 'not_sent') expect([messageId, left(messageId)]).toEqual([messageId, false]);
  }
  for (const { messageId } of run.accepted) expect([...ends.keys()]).toContain(messageId);
  for (const id of run.refused) expect([...ends.keys()]).not.toContain(id);

  // A key makes another message only once the earlier one was definitely not sent.
  const seqs = new Map(stored.map(({ id, seq }) => [id, seq]));
  const inOrder = run.accepted.toSorted(
    (a, b) => (seqs.get(a.messageId) ?? 0) - (seqs.get(b.messageId) ?? 0),
  );
  for (const [n, first] of inOrder.entries())
    for (const later of inOrder.slice(n + 1))
      if (first.key !== null && first.key === later.key && first.messageId !== later.messageId)
        expect(['failed', 'expired', 'cancelled']).toContain(ends.get(first.messageId));

  // The interval, and the order of the queue.
  const times = writes.filter(({ fate }) => fate !== 'refused').map(({ atMs }) => atMs);
  for (const [n, atMs] of times.entries())
    if (n > 0) expect(atMs - (times[n - 1] ?? 0)).toBeGreaterThanOrEqual(INTERVAL_MS);
  // Nothing overtakes to the same recipient. A sync message overtakes another one only if that waits behind one that ended.
  const atMs = ({ dispatchedAt }: Stored) => dispatchedAt?.getTime() ?? null;
  const isHeldUp = (message: Stored) =>
    stored.some((e) => e.recipient === message.recipient && e.seq < message.seq && atMs(e) === null);
  const turns = stored.filter((message) => atMs(message) !== null);
  for (const [n, first] of turns.entries())
    for (const later of turns.slice(n + 1))
      if (first.recipient === later.recipient || (first.isSync && later.isSync && !isHeldUp(first)))
        expect(atMs(first)).toBeLessThanOrEqual(atMs(later) ?? 0);

  // The history, the events of webhooks and the counts say the same.
  for (const { status, isGone, events, announced, sequences } of stored) {
    if (isGone) continue;
    expect(announced).toEqual(events);
    expect(sequences).toEqual(sequences.map((_, n) => n + 1));
    expect(events.at(-1)).toBe(status);
  }
  const counted = await database.sql<{ outcome: string; n: number }[]>`
    select outcome, sum(n)::int as n from (
      select outcome, count as n from message_counts where number_id = ${numberId} and unit = 'day'
      union all select outcome, amount from message_count_deltas where number_id = ${numberId}) c
    group by outcome having sum(n) <> 0 order by outcome`;
  const statuses = [...ends.values()].flatMap((status) =>
    status === 'delivered' || status === 'read' ? ['sent', 'delivered'] : [status],
  );
  const expected = [...new Set(statuses)].sort();
  expect(counted).toEqual(
    expected.map((outcome) => ({ outcome, n: statuses.filter((status) => status === outcome).length })),
  );
}

test('however callers, workers and lost connections interleave, each message leaves at most once and ends true', async () => {
  const choices = fc.array(fc.nat(9999), { minLength: 200, maxLength: 600, size: 'max' });
  const acts = fc.array(act, { minLength: 10, maxLength: 25, size: 'max' });
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(acts, choices, async (drawn, order) => {
      const numberId = await makeNumber(database, { accountId, network: 'whatsapp' });
      await database.sql`
        update numbers set intent = 'run', send_interval_seconds = ${INTERVAL_MS / 1000}, protected = false, status = 'CONNECTED',
          linked_at = clock_timestamp() where id = ${numberId}`;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      await database.sql`update clock_offset set by = '0'`;
      const run = new Run(numberId, order);
      try {
        await run.play(drawn);
      } finally {
        await run.stop();
        vi.useRealTimers();
      }
      await check(run);
      sent += run.writes.length;
    }),
    // Shrinking would take longer than the test may.
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(sent).toBeGreaterThan(0);
}, 180_000);
