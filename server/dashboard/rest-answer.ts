import { outcomeOf } from '#server/core/outcomes.ts';
import type { SendResult } from '#server/messages/send-message.ts';
import { errorBody, errorHeaders } from '#server/platform/http/error-answer.ts';
import { toAppError } from '#server/platform/http/to-app-error.ts';

/** An answer as a program would have got it from the customers' API. */
export interface ShownAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
  messageId: string | null;
}

/** What a send came to, in the form of the API: also its refusals, which are no faults of the page. */
export async function restAnswer(send: Promise<SendResult>): Promise<ShownAnswer> {
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
