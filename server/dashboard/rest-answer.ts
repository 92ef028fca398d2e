import { outcomeOf } from '#server/core/outcomes.ts';
import type { SendResult } from '#server/messages/send-message.ts';
import { errorBody, errorHeaders } from '#server/platform/http/error-answer.ts';
import { toAppError } from '#server/platform/http/to-app-error.ts';

/** The result of a send as the REST API answers it, including refusals. */
export async function restAnswer(send: Promise<SendResult>) {
  try {
    const { message, queued } = await send;
    const { id, to, type } = message;
    return {
      status: queued ? 202 : 200,
      headers: { 'X-Message-Id': id },
      body: JSON.stringify({ success: true, data: { id, to, type, status: queued ? 'queued' : 'sent' } }),
      messageId: id,
    };
  } catch (thrown) {
    const error = toAppError(thrown);
    return {
      status: outcomeOf(error.code).status,
      headers: errorHeaders(error),
      body: errorBody(error),
      messageId: error.details.messageId ?? null,
    };
  }
}
