import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import { findMessage, type MessageView } from './queries/outcomes.ts';

/** A message of the caller's number. Throws `not_found`, for another number's as for none. */
export async function getMessage(
  database: Database,
  params: { numberId: string; messageId: string },
): Promise<MessageView> {
  const message = await findMessage(database.db, params);
  if (!message)
    throw new AppError('not_found', 'No message with this ID exists on the number of this API key.');
  return message;
}
