import { sql } from 'drizzle-orm';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

export const requestsAccepted: AlertDescriptor = {
  follows: {
    kind: 'requests_refused',
    facts: sql`(
        select jsonb_build_object('refused', count(*) filter (where refused), 'accepted', count(*) filter (where not refused))
        from (select ${isRefusedSend('q')} as refused from requests q
          where q.account_id = a.account_id and q.number_id = a.number_id and q.at > a.ended_at - interval '10 minutes'
            and q.at <= a.ended_at) counted)`,
  },
  topic: 'api',
  sign: 'CONNECTED',
  page: PAGES.requests,
};
