import type { OpenApiMeta } from 'trpc-openapi';
import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';

export const getMessageMeta: OpenApiMeta = {
  openapi: {
    method: 'GET',
    path: '/messages/{id}',
    tags: ['Messages'],
    summary: 'Get a message and its outcome',
    description: 'Any message of the key’s number, by the `id` of its answer or by `X-Message-Id`.',
    successDescription: 'The message.',
    errorResponses: [],
  },
};

/** The most that a request line can hold. A lower limit would report an unknown ID as invalid. */
const ID_CHARS_MAX = 16 * 1024;

export const GetMessageRequest = z.object({
  id: z.string().max(ID_CHARS_MAX).meta({ description: 'The message’s identifier.' }),
});

export const GetMessageAnswer = z
  .object({
    success: z.literal(true),
    data: z
      .object({
        id: z.string(),
        to: z.string(),
        type: z.enum(MESSAGE_TYPES),
        status: z.enum(MESSAGE_STATUSES).meta({
          description:
            '`queued`: waits for its slot. `sending`: handed to WhatsApp Web. `sent`: WhatsApp’s server confirmed it. `delivered`: on the recipient’s phone. `read`: opened. `failed`, `expired`, `cancelled`: definitely not sent. `unknown`: may have been sent; changes when WhatsApp shows the outcome.',
        }),
        error: z.string().nullable().meta({ description: 'What went wrong, in a sentence, or null.' }),
      })
      .meta({ id: 'Message' }),
  })
  .meta({ id: 'MessageAnswer' });
