import type { OpenApiMeta } from 'trpc-openapi';
import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';

export const getMessageMeta: OpenApiMeta = {
  openapi: {
    method: 'GET',
    path: '/messages/{id}',
    tags: ['Messages'],
    summary: 'What became of a message?',
    description: 'Any message of the key’s number, by the `id` of its answer or by `X-Message-Id`.',
    successDescription: 'The message.',
    errorResponses: [],
  },
};

/** What a request line can hold. A shorter bound would call an id invalid that is only unknown. */
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
            '`queued` waits for its slot; `sending` is with WhatsApp Web; `sent` WhatsApp’s server has it; `delivered` the phone has it; `read`; `failed`, `expired` and `cancelled` were certainly not sent; `unknown` may have been, and is settled later when WhatsApp shows it.',
        }),
        error: z.string().nullable().meta({ description: 'What went wrong, in a sentence, or null.' }),
      })
      .meta({ id: 'Message' }),
  })
  .meta({ id: 'MessageAnswer' });
