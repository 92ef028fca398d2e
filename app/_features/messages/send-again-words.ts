const planned = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Texts of the dialog. */
export const sendAgain = {
  title: (to: string) => `Send this to ${to} again?`,
  text: 'This creates a new message from the same number. It has no Idempotency-Key and is sent as soon as its turn comes. The original does not change.',
  textAhead:
    'This creates a new message from the same number, without an Idempotency-Key. The original does not change.',
  notSent:
    'The first message was definitely not sent. If your program retries it too, the recipient may get both.',
  sentTitle: 'The recipient gets it a second time',
  sent: 'WhatsApp has already confirmed the first one.',
  unknownTitle: 'It may arrive twice',
  unknown:
    'WhatsApp never confirmed the first one, and it may have arrived. Check the chat on the phone before you send it again.',
  scheduledTitle: 'Sends now, not at the scheduled time',
  aheadTitle: 'Schedule it again, or send it now',
  scheduled: (sendAt: string) => `The original was scheduled for ${planned.format(new Date(sendAt))}.`,
  submit: 'Send again',
  submitNow: 'Send now',
  submitScheduled: 'Schedule again',
  submitUnknown: 'Send again anyway',
  done: 'The new message is in the queue',
  doneScheduled: 'The new message is scheduled',
  already: 'It had already been sent again, so nothing new was sent',
} as const;
