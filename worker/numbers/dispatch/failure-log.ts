import type { MessageContent } from '#server/core/message.ts';
import type { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import type { OutcomeWrite } from '#server/messages/queries/dispatch.ts';
import { withoutRecipients } from '#server/platform/log-error.ts';

/** A shorter text of a message names nobody, and would be found in every error. */
const TEXT_CHARS_MIN = 4;

/** Why a message failed, or is unknown, as the log shows it: nothing of its content, and no recipient. */
export function failureLine(
  { id, requestId, waMessageId, content }: ClaimedMessage,
  outcome: OutcomeWrite,
  { failure, build }: { failure: SendError; build: string | null },
) {
  const { reason, step, code } = failure;
  return {
    ...{
      messageId: id,
      requestId,
      waMessageId,
      code: 'errorCode' in outcome ? outcome.errorCode : null,
      reason,
      step,
      build,
    },
    ...(code === null ? {} : { whatsappCode: code }),
    cause: withoutContent(failure.message, content),
  };
}

/** What the page reported, without the fields of the message that it may quote. */
function withoutContent(cause: string, { type: _kind, ...fields }: MessageContent): string {
  const texts = Object.values(fields).map(String);
  const lines = texts.flatMap((text) => [text, ...text.split('\n')]).toSorted((a, b) => b.length - a.length);
  return withoutRecipients(
    lines
      .filter((text) => text.length >= TEXT_CHARS_MIN)
      .reduce((left, text) => left.replaceAll(text, '[text]'), cause),
  );
}
