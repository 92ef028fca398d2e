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
const TO_COUNT = `to must have 1 to ${TO_MAX} phone numbers.`;
/** Longer than any number, decoration included. */
const PHONE_CHARS_MAX = 64;

const phone = z
  .string({ error: 'to must be a phone number in international format, as a string, or a list of them.' })
  .max(PHONE_CHARS_MAX, { error: ({ input }) => recipientHint('to', String(input), false), abort: true })
  .refine((text) => PERSON.test(text), {
    error: ({ input }) => recipientHint('to', String(input), false),
  })
  .meta({ type: 'string', pattern: PERSON.source });

export const CheckRecipientsRequest = z.object({
  token: tokenField(),
  to: z
    .union([phone, z.array(phone).min(1, { error: TO_COUNT }).max(TO_MAX, { error: TO_COUNT })], {
      error: `to must be a phone number in international format (digits only, country code first, no +), or a list of 1 to ${TO_MAX} of them.`,
    })
    .meta({ description: 'A phone number in international format, or a list of up to 50.' }),
});

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
