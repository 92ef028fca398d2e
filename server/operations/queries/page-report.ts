import { sql } from 'drizzle-orm';
import type { MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Network, NumberStatus } from '#server/core/number-state.ts';
import type { BuildFacts, CommsMode } from '#server/core/page-build.ts';
import type { Db } from '#server/platform/db/client.ts';
import { FACTS_OF_BUILD } from './page-builds.ts';

// SQL: percentiles, which the builder has no form for.

interface OfNumber {
  numberId: string;
}

export interface ReportedBuild extends BuildFacts {
  failedCheck: string | null;
  testedAt: Date | null;
  /** The version of Wirebird that tested it. */
  testedBy: string | null;
  comms: CommsMode | null;
  /** The number runs a stored copy, not what the site serves. */
  isKept: boolean;
}

/** The build that a number runs, or ran last; null if there is none. */
export async function findBuildOfNumber(
  db: Db,
  { numberId, network }: OfNumber & { network: Network },
): Promise<ReportedBuild | null> {
  const [row] = await db.run<ReportedBuild>(sql`
    select ${FACTS_OF_BUILD}, b.failed_check as "failedCheck", b.tested_at as "testedAt", b.tested_by as "testedBy", b.comms,
      r.kept as "isKept"
    from number_builds r join page_builds b on b.version = r.version and b.network = ${network}
    where r.number_id = ${numberId}`);
  return row ?? null;
}

/** The states of the last 24 hours, and the one before them, oldest first. */
export async function listStates(
  db: Db,
  { numberId }: OfNumber,
): Promise<{ at: Date; status: NumberStatus; cause: unknown }[]> {
  return db.run<{ at: Date; status: NumberStatus; cause: unknown }>(sql`
    select at, status, cause from number_events where number_id = ${numberId} and id >= coalesce((
      select id from number_events where number_id = ${numberId} and at < clock_timestamp() - interval '24 hours'
      order by id desc limit 1), 0) order by id`);
}

export interface ReportedOutcome {
  type: MessageType;
  status: MessageStatus;
  errorCode: string | null;
  build: string | null;
  messages: number;
  /** From dispatch to acknowledgement; null if none was acknowledged. */
  ackMsP50: number | null;
  ackMsP95: number | null;
}

/** How the messages of the last 24 hours ended, by kind and build. */
export async function listOutcomes(db: Db, { numberId }: OfNumber): Promise<ReportedOutcome[]> {
  return db.run<ReportedOutcome>(sql`
    select type, status, error_code as "errorCode", page_build as build, count(*)::int as messages,
      percentile_cont(0.5) within group (order by extract(epoch from sent_at - dispatched_at) * 1000)::float8 as "ackMsP50",
      percentile_cont(0.95) within group (order by extract(epoch from sent_at - dispatched_at) * 1000)::float8 as "ackMsP95"
    from messages where number_id = ${numberId} and dispatched_at > clock_timestamp() - interval '24 hours'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`);
}
