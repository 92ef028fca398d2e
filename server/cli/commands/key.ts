import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { listApiKeys } from '#server/api-keys/list-api-keys.ts';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { rotateApiKey } from '#server/api-keys/rotate-api-key.ts';
import {
  ACCOUNT_USAGE,
  accountOptions,
  contextOfAccount,
  contextOfKey,
  contextOfNumber,
} from '../accounts.ts';
import { command, text, whole } from '../command.ts';

/** A key as the CLI prints it: never the key itself. */
function printedKey<T extends { numberId: string }>({ numberId, ...key }: T) {
  return { ...key, instance: numberId };
}

export const keyCommands = [
  command({
    name: 'key create',
    does: 'Creates an API key for a number and prints it. It is shown only once.',
    usage: '--instance num_… [--name T]',
    options: { instance: text, name: text.optional() },
    run: async ({ instance, name }, context) => {
      const accountContext = await contextOfNumber(context, instance);
      const { key, id } = await createApiKey(accountContext, { numberId: instance, name });
      return { key, id };
    },
  }),

  command({
    name: 'key rotate',
    does: 'Creates a new key; the old one keeps working for the overlap, 24 hours by default.',
    usage: '--id key_… [--overlap-hours N]',
    options: { id: text, 'overlap-hours': whole.default(24) },
    run: async ({ id, 'overlap-hours': overlapHours }, context) => {
      return rotateApiKey(await contextOfKey(context, id), { keyId: id, overlapHours });
    },
  }),

  command({
    name: 'key revoke',
    does: 'Revokes a key at once, and cancels its waiting messages.',
    usage: '--id key_…',
    options: { id: text },
    run: async ({ id }, context) => {
      return printedKey(await revokeApiKey(await contextOfKey(context, id), { keyId: id }));
    },
  }),

  command({
    name: 'key list',
    does: 'Lists the keys of an account, without the keys themselves.',
    usage: ACCOUNT_USAGE,
    options: accountOptions,
    run: async (account, context) => {
      const keys = await listApiKeys(await contextOfAccount(context, account));
      return keys.map(printedKey);
    },
  }),
];
