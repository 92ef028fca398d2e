import { API_ERROR_CODES, outcomeOf } from '#server/core/outcomes.ts';

/**
 * Whether the request of this alias was refused. A request whose message was accepted and then failed or stayed
 * unknown was not refused: it counts as a message.
 */
export const isRefused = (alias: string) =>
  `(${alias}.error_code is not null and ${alias}.message_id is null)`;

/**
 * Whether the request of this alias would have sent a message and was refused: what overview, usage, alerts and
 * mails count. A refused read sends nothing anyway.
 */
export const isRefusedSend = (alias: string) => `(${isRefused(alias)} and ${isSend(alias)})`;

/** Whether the request of this alias asked to send a message. */
export const isSend = (alias: string) =>
  `(starts_with(${alias}.endpoint, 'POST /messages/') and ${alias}.endpoint <> 'POST /messages/{id}/cancel')`;

const MAY_BE_SENT = API_ERROR_CODES.filter((code) => outcomeOf(code).mayBeSent);

/**
 * Whether the request of this alias was refused, certainly sent nothing, and no later request has made a message with
 * its reference.
 */
export const isUnsent = (alias: string) =>
  `(${isRefusedSend(alias)} and ${alias}.error_code not in (${MAY_BE_SENT.map((code) => `'${code}'`).join(', ')})
    and not exists (select from messages later where later.number_id = ${alias}.number_id
      and later.reference = ${alias}.reference and later.created_at >= ${alias}.at))`;
