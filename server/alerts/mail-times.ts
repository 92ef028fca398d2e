import type { AlertTopic, MailTime, MailTimes } from '#server/core/alert.ts';
import type { UserScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { readMailTimes, writeMailTime } from './queries/mail-times.ts';

/** When alerts are mailed to a user, by topic; and whether mails are sent at all. */
export async function mailTimesOf({
  database,
  userId,
}: UserScope): Promise<{ times: MailTimes; mailed: boolean }> {
  return { times: await readMailTimes(database.db, { userId }), mailed: settings.smtpUrl !== undefined };
}

/** Sets when a topic's alerts are mailed to a user, from the next alert on. */
export async function setMailTime(
  { database, userId }: UserScope,
  { topic, time }: { topic: AlertTopic; time: MailTime },
): Promise<void> {
  await writeMailTime(database.db, { userId, topic, time });
}
