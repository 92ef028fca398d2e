import { z } from 'zod';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { successOf } from '../envelope.ts';
import { operationsOf } from '../operation.ts';

export const getStatusMeta = operationsOf('Number')('GET', '/status', {
  summary: 'Get the number’s state',
  description:
    'The state of the key’s number, at most 15 seconds old. The status is 200 in every state. Send the key in a header.',
  successDescription: 'The number’s state.',
});

export const GetStatusRequest = z.object({});

export const GetStatusAnswer = successOf(
  z
    .object({
      instance: z.string().meta({ description: 'Identifier of the linked number.' }),
      phoneNumber: z.string().meta({
        description: 'The number in international format, digits only; empty if it was never linked.',
      }),
      status: z.enum(NUMBER_STATUSES).meta({
        description: [
          '`UNLINKED` never linked, or unlinked in the dashboard',
          '`LINKING` a QR or code is being shown',
          '`SYNCING` linked, not ready yet',
          '`CONNECTED`',
          '`RECONNECTING` lost, being restored automatically',
          '`LOGGED_OUT` the phone is no longer linked: link it again',
          '`CONFLICT` opened elsewhere',
          '`BLOCKED` refused by WhatsApp',
          '`SUSPENDED` by the administrator',
        ].join('; '),
      }),
      connected: z.boolean().meta({ description: '`true` exactly when `status` is `CONNECTED`.' }),
    })
    .meta({ id: 'NumberStatus' }),
).meta({ id: 'StatusAnswer' });
