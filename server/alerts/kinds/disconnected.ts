import { sql } from 'drizzle-orm';
import { SESSION_STOP_CODES } from '#server/core/number/cause.ts';
import { isStopped, LEASE_FRESH_MS, STOPPED_NUMBER } from './families/stopped-number.ts';
import type { AlertDescriptor } from './kind.ts';

/** For 10 minutes, although it should be connected. */
export const disconnected: AlertDescriptor = {
  ...STOPPED_NUMBER,
  lasts: () => sql`${isStopped()} and exists (
      select from numbers n left join leases l on l.number_id = n.id
      where n.id = a.number_id and n.intent = 'run' and n.suspended_at is null
        and coalesce(n.cause ->> 'code' <> all(${sql.param([...SESSION_STOP_CODES])}), true)
        and not (n.status = 'CONNECTED' and coalesce(l.renewed_at, '-infinity') > clock_timestamp() - ${LEASE_FRESH_MS} * interval '1 millisecond'))`,
  state: 'RECONNECTING',
  sign: { tone: 'fail', shape: 'turning' },
};
