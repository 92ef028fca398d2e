import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { API_ERROR_CODES } from '#server/core/outcomes.ts';

/** The four fields of a send result. */
const SendResult = z
  .object({
    id: z.string().meta({
      description: 'Identifier of the message, the same in the dashboard and in logs. Empty after a dry run.',
    }),
    to: z.string().meta({ description: 'The recipient as WhatsApp names it.' }),
    type: z.enum(MESSAGE_TYPES).meta({ description: 'The kind that was sent.' }),
    status: z.enum(['sent', 'queued', 'valid']).meta({
      description:
        '`sent`: WhatsApp’s server has accepted the message; this does not mean that a person has received it. `queued` comes only with 202, and `valid` only with `X-Dry-Run`.',
    }),
  })
  .meta({ id: 'SendResult' });

export const successOf = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data });

export const SendAnswer = successOf(SendResult).meta({ id: 'SendAnswer' });
export type SendAnswer = z.infer<typeof SendAnswer>;

/** The same for callers that accept `application/problem+json` (RFC 9457). */
export const ProblemAnswer = z
  .object({
    type: z.string().meta({ format: 'uri', description: 'Where the code is documented.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'The sentence.' }),
    code: z.enum(API_ERROR_CODES).meta({ description: 'As in `X-Error-Code`.' }),
    requestId: z.string().meta({ description: 'As in `X-Request-Id`.' }),
  })
  .meta({ id: 'Problem' });

/** The body of every error. */
export const ErrorAnswer = z
  .object({
    success: z.literal(false),
    error: z.string().meta({
      description: 'What is wrong and what to do, as a sentence for people. The wording may change.',
    }),
  })
  .meta({ id: 'Error' });
