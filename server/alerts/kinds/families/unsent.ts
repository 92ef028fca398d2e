import { sql } from 'drizzle-orm';
import { newest, OF_NUMBER } from '../../queries/found.ts';
import { type AlertDescriptor, PAGES } from '../kind.ts';

/** A number whose messages are not sent, until one is. */
export const UNSENT = {
  lasts: () =>
    sql`${OF_NUMBER} and ${newest('failures', 'not_sending')} and not exists (
    select from messages m where m.number_id = a.number_id and m.dispatched_at > a.happened_at
      and m.status in ('sent', 'delivered', 'read'))`,
  topic: 'numbers',
  sign: { tone: 'fail', shape: 'cross' },
  page: PAGES.number,
} as const satisfies Partial<AlertDescriptor>;
