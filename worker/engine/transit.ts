import type { Outgoing } from '#server/core/engine.ts';
import { isMedia } from '#server/core/message.ts';
import { isGroup } from '#server/core/recipient.ts';
import type { SendError, SendStep } from '#server/core/send-failures.ts';

export type Transit = ReturnType<typeof newTransit>;

/** A message while the page sends it. */
export function newTransit({ recipient, content }: Outgoing) {
  return {
    toGroup: isGroup(recipient),
    type: content.type,
    withMedia: isMedia(content),
    /** The library's call has not returned yet. */
    submitting: true,
    asked: false,
    /** The message has passed the gate. */
    open: false,
    openedAtMs: 0,
    fenced: false,
    /** How many jobs have passed their gate and not ended: they may be writing the stanza. */
    writing: 0,
    /** At least one job has passed its gate. */
    written: false,
    /** The message's job has reported the server's answer. */
    answered: false,
    /** WhatsApp refused the group's addressing once, so the page sends the message again. */
    resends: false,
    /** The message is certainly not sent: both gates stay closed. */
    failure: null as SendError | null,
    /** What the page last reported that decides nothing. */
    said: null as string | null,
  };
}

export function stepOf({ asked, open, written, answered }: Transit): SendStep {
  if (answered) return 'answered';
  if (open) return written ? 'in its job' : 'before its job';
  return asked ? 'at the gate' : 'before the gate';
}
