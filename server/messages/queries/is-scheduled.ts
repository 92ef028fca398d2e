import { sql } from 'drizzle-orm';

/** Whether the message of this alias is scheduled for later. Such a message is not in a lane yet. */
export const isScheduled = (alias: string) =>
  sql<boolean>`coalesce(${sql.identifier(alias)}.send_at > clock_timestamp(), false)`;
