import { sql } from 'drizzle-orm';
import { type KindState, kindResult } from '#server/core/build-kinds.ts';
import type { MessageType } from '#server/core/message.ts';
import { parseCause, sessionStopOf } from '#server/core/number/cause.ts';
import {
  type Network,
  NUMBER_STATUSES,
  type StoredNumberState,
  shownStatus,
} from '#server/core/number-state.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import type { Database } from '#server/platform/db/client.ts';
import { laneOf } from '#server/schema/lane.ts';
import { listAllKinds } from './build-kinds.ts';
import { WORKER_SILENCE_MS } from './operator.ts';

const STOPPED_FIGURES = { plan: 'PLAN_STOPPED', trial: 'TRIAL_STOPPED' } as const;
export const NUMBER_FIGURES = [...NUMBER_STATUSES, 'PLAN_STOPPED', 'TRIAL_STOPPED'] as const;
export type NumberFigure = (typeof NUMBER_FIGURES)[number];

/** Figures of the whole installation, for its metrics. */
export interface InstallationFigures {
  /** Numbers that their plan stopped are counted separately: they have no problem. */
  numbers: Map<NumberFigure, number>;
  /** Without scheduled messages; a message that was scheduled waits from its time on. */
  queues: { lane: Lane; waiting: number; oldestSeconds: number }[];
  workers: number;
  /** Numbers by what WhatsApp restricts on them, and those that pause after its refusals. */
  restricted: Record<(typeof RESTRICTIONS)[number], number>;
  builds: BuildFigures[];
  /** Of the builds that numbers run. */
  kinds: { network: Network; build: string; kind: MessageType; result: KindState }[];
}

/** A build of WhatsApp Web: how many sessions run it, and its last self-test. */
export interface BuildFigures {
  network: Network;
  build: string;
  numbers: number;
  verdict: 'passed' | 'failed' | null;
}

export const RESTRICTIONS = ['timelock', 'cap', 'checkpoint', 'pause'] as const;

export async function readFigures(database: Database): Promise<InstallationFigures> {
  // SQL: the counts use `filter`, intervals and a nested join, which the builder has no form for.
  const [states, queues, [alive], [restricted], builds, known] = await Promise.all([
    database.db.run<StoredNumberState & { cause: unknown }>(sql`
      select n.status, n.cause, n.suspended_at is not null as suspended,
        (extract(epoch from clock_timestamp() - l.renewed_at) * 1000)::float8 as "leaseSilentMs",
        (extract(epoch from n.moving_until - clock_timestamp()) * 1000)::float8 as "moveGraceMs"
      from numbers n left join leases l on l.number_id = n.id where n.removed_at is null`),
    database.db.run<InstallationFigures['queues'][number]>(sql`
      select ${laneOf('m')} as lane, count(*)::int as waiting,
        extract(epoch from clock_timestamp() - min(greatest(created_at, send_at)))::float8 as "oldestSeconds"
      from messages m where status = 'queued' and not ${isScheduled('m')} group by m.lane`),
    database.db.run<{ workers: number }>(sql`
      select count(*)::int as workers from processes where kind = 'worker'
        and seen_at > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'`),
    database.db.run<InstallationFigures['restricted']>(sql`
      select count(*) filter (where timelock_kind is not null and coalesce(timelock_until > clock_timestamp(), true))::int as timelock,
        count(*) filter (where cap_status = 'CAPPED' and coalesce(cap_until > clock_timestamp(), true))::int as cap,
        count(*) filter (where checkpoint is not null)::int as checkpoint,
        count(*) filter (where pause_until > clock_timestamp())::int as pause
      from number_health`),
    database.db.run<BuildFigures>(sql`
      select b.network, b.version as build, b.verdict, count(l.number_id)::int as numbers
      from page_builds b left join (number_builds r join numbers n on n.id = r.number_id and n.intent = 'run'
          join leases l on l.number_id = n.id and l.expires_at > clock_timestamp())
        on n.network = b.network and r.version = b.version
      group by 1, 2, 3`),
    listAllKinds(database.db),
  ]);
  const isRun = ({ network, version }: { network: Network; version: string }) =>
    builds.some((one) => one.numbers > 0 && one.network === network && one.build === version);
  const numbers = new Map<NumberFigure, number>();
  for (const state of states) {
    const shown = shownStatus(state);
    const stop = shown === 'RECONNECTING' ? sessionStopOf(parseCause(state.cause)) : null;
    const status = stop ? STOPPED_FIGURES[stop] : shown;
    numbers.set(status, (numbers.get(status) ?? 0) + 1);
  }
  return {
    numbers,
    queues,
    workers: alive?.workers ?? 0,
    builds,
    kinds: known.filter(isRun).map((facts) => ({
      ...{ network: facts.network, build: facts.version, kind: facts.kind },
      result: kindResult(facts),
    })),
    restricted: restricted ?? { timelock: 0, cap: 0, checkpoint: 0, pause: 0 },
  };
}
