import { sql } from 'drizzle-orm';
import { API_ERROR_CODES, outcomeOf } from '#server/core/outcomes.ts';

/**
 * Whether the request of this alias was refused. A request whose message was accepted and then failed or stayed
 * unknown was not refused: it counts as a message.
 */
export function isRefused(alias: string) {
  const request = sql.identifier(alias);
  return sql<boolean>`(${request}.error_code is not null and ${request}.message_id is null)`;
}

/**
 * Whether the request of this alias would have sent a message and was refused: what overview, usage, alerts and
 * mails count. A refused read sends nothing anyway.
 */
export const isRefusedSend = (alias: string) => sql<boolean>`(${isRefused(alias)} and ${isSend(alias)})`;

/** Whether the request of this alias asked to send a message. */
export function isSend(alias: string) {
  const request = sql.identifier(alias);
  return sql<boolean>`(starts_with(${request}.endpoint, 'POST /messages/') and ${request}.endpoint <> 'POST /messages/{id}/cancel')`;
}

const MAY_BE_SENT = API_ERROR_CODES.filter((code) => outcomeOf(code).mayBeSent);

/**
 * Whether the request of this alias was refused, certainly sent nothing, and no later request has made a message with
 * its reference.
 */
export function isUnsent(alias: string) {
  const request = sql.identifier(alias);
  return sql<boolean>`(${isRefusedSend(alias)} and ${request}.error_code not in ${MAY_BE_SENT}
    and not exists (select from messages later where later.number_id = ${request}.number_id
      and later.reference = ${request}.reference and later.created_at >= ${request}.at))`;
}
