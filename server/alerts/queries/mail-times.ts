import { eq, sql } from 'drizzle-orm';
import type { AlertTopic, MailTime, MailTimes } from '#server/core/alert.ts';
import type { Db } from '#server/platform/db/client.ts';
import { users } from '#server/schema/index.ts';

export async function readMailTimes(db: Db, { userId }: { userId: string }): Promise<MailTimes> {
  const [row] = await db.select({ times: users.mailTimes }).from(users).where(eq(users.id, userId));
  return row?.times ?? {};
}

export async function writeMailTime(
  db: Db,
  { userId, topic, time }: { userId: string; topic: AlertTopic; time: MailTime },
): Promise<void> {
  await db
    .update(users)
    .set({ mailTimes: sql`${users.mailTimes} || jsonb_build_object(${topic}::text, ${time}::text)` })
    .where(eq(users.id, userId));
}
