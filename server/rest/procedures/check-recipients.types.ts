import { z } from 'zod';
import { PERSON, recipientHint } from '#server/core/recipient.ts';
import { tokenField } from '#server/core/request-fields.ts';
import { successOf } from '../envelope.ts';
import { operationsOf } from '../operation.ts';

export const checkRecipientsMeta = operationsOf('Number')('POST', '/recipients/check', {
  summary: 'Check whether people are on WhatsApp',
  description:
    'Checks up to 50 phone numbers. For phone numbers that your number has checked or contacted before, the result is stored. The others are looked up one at a time, at your number’s interval. After 20 seconds the rest are `pending`: check them again later. The look-ups in 24 hours are limited, because bulk look-ups can lead to a ban.',
  successDescription: 'Each phone number once, in the order of the request.',
});

const TO_MAX = 50;
/** Longer than any number. */
const PHONE_CHARS_MAX = 64;
const TO = `a phone number in international format (digits only, country code first, no +), or a list of 1 to ${TO_MAX} of them`;

// `abort`: otherwise the union reports the error of its list instead of its own.
const phone = z.string().max(PHONE_CHARS_MAX, { abort: true }).regex(PERSON, { abort: true });

export const CheckRecipientsRequest = z.object({
  token: tokenField(),
  to: z
    .union([phone, z.array(phone).min(1, { abort: true }).max(TO_MAX, { abort: true })], {
      error: ({ input }) => wrongTo(input),
    })
    .meta({ description: `A phone number in international format, or a list of up to ${TO_MAX}.` }),
});

/** What is wrong, and in which entry of a list. */
function wrongTo(to: unknown): string {
  if (to === undefined) return `to is missing. Send ${TO}.`;
  if (typeof to === 'string') return recipientHint('to', to, false);
  if (!Array.isArray(to)) return `to must be ${TO}.`;
  if (to.length === 0 || to.length > TO_MAX)
    return `to must have 1 to ${TO_MAX} phone numbers; it has ${to.length}.`;
  const at = to.findIndex((one) => typeof one !== 'string' || !PERSON.test(one));
  const entry: unknown = to[at];
  return typeof entry === 'string'
    ? recipientHint(`to[${at}]`, entry, false)
    : `to[${at}] must be a string: a phone number in international format.`;
}

export const CheckRecipientsAnswer = successOf(
  z.object({
    recipients: z
      .array(
        z
          .object({
            to: z.string().meta({ description: 'The phone number that was asked about.' }),
            status: z.enum(['on_whatsapp', 'not_on_whatsapp', 'pending']).meta({
              description: '`pending`: WhatsApp has not been asked yet. Check again later.',
            }),
            checkedAt: z.string().nullable().meta({
              format: 'date-time',
              description: 'When WhatsApp was asked or a message was exchanged, or null.',
            }),
          })
          .meta({ id: 'CheckedRecipient' }),
      )
      .meta({ description: 'Each phone number once, in the order of the request.' }),
  }),
).meta({ id: 'CheckedRecipientsAnswer' });
