import { AppError, type ErrorCode, type ErrorDetails } from '#server/core/errors.ts';
import { isAccepted } from '#server/core/message-state.ts';
import { notConnected } from '#server/core/number-words.ts';
import { lookUpsResumeInSeconds } from '#server/numbers/queries/look-ups.ts';
import { shownNumberState } from '#server/numbers/queries/number-status.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { MessageView } from './queries/outcomes.ts';
import { refused } from './refused.ts';

/** After this time a file's server that is away or slow may answer, and there may be room for a file. */
const MEDIA_RETRY_SECONDS = 60;

/** Accepted by WhatsApp's server: the message. Everything else that a message can end as is thrown. */
export async function answerFor(
  database: Database,
  message: MessageView,
  numberId: string,
): Promise<MessageView> {
  if (isAccepted(message.status)) return message;
  const messageId = message.id;
  if (message.status === 'unknown') throw unknownOutcome(messageId);
  const numberState = () => shownNumberState(database.db, { numberId });
  if (message.status === 'expired') {
    const state = await numberState();
    if (state.status !== 'CONNECTED') throw refused(notConnected(state), { messageId });
    throw new AppError(
      'deadline_passed',
      'No slot came within 40 s, so the message was not sent. Retry the request.',
      { messageId, retryAfterSeconds: 5, limit: 'deadline', sendOutcome: 'not_sent' },
    );
  }
  if (message.errorCode === 'not_connected') throw refused(notConnected(await numberState()), { messageId });
  const code = errorCodeOf(message.errorCode);
  throw new AppError(code, message.error ?? 'The message was not sent.', {
    messageId,
    sendOutcome: 'not_sent',
    ...(await retryOf(code, () => lookUpsResumeInSeconds(database, { numberId }))),
    ...(code === 'not_connected' ? { numberStatus: (await numberState()).status } : {}),
  });
}

/** When a repeat can help; empty where it cannot, or where nobody knows when. */
async function retryOf(
  code: ErrorCode,
  lookUpsResume: () => Promise<number>,
): Promise<Pick<ErrorDetails, 'retryAfterSeconds' | 'limit'>> {
  if (code === 'stopping') return { retryAfterSeconds: 5 };
  if (code === 'media_share_full') return { retryAfterSeconds: MEDIA_RETRY_SECONDS, limit: 'media' };
  if (code === 'new_contacts') return { retryAfterSeconds: await lookUpsResume(), limit: 'new-contacts' };
  const mayPass = code === 'media_unavailable' || code === 'no_room';
  return mayPass ? { retryAfterSeconds: MEDIA_RETRY_SECONDS } : {};
}

/** It may have left: what nobody may repeat blindly. */
export function unknownOutcome(messageId: string): AppError {
  return new AppError(
    'send_unknown',
    `WhatsApp has not confirmed this message. It may have arrived, so it is never sent again automatically. Use GET /v1/messages/${messageId} later for its outcome.`,
    { messageId, sendOutcome: 'unknown' },
  );
}

/** What is stored with a message as `error_code`, as the code that its caller gets. */
function errorCodeOf(stored: string | null): ErrorCode {
  switch (stored) {
    case 'key_revoked':
      return 'unauthorized';
    case 'plan_ended':
    case 'suspended':
      return 'plan_inactive';
    case 'removed':
      return 'instance_not_found';
    case 'unlinked':
    case 'cancelled_by_person':
    case 'not_connected':
      return 'not_connected';
    case 'invalid_parameters':
    case 'media_too_large':
    case 'media_unusable':
    case 'media_unavailable':
    case 'media_share_full':
    case 'no_room':
    case 'recipient_unknown':
    case 'new_contacts':
    case 'stopping':
      return stored;
    default:
      return 'send_failed';
  }
}
