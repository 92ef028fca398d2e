import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import { NETWORKS } from '#server/core/number-state.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { getNumber, listNumbers } from '#server/numbers/get-number.ts';
import type { NumberView } from '#server/numbers/number-view.ts';
import { removeNumber, unlinkNumber } from '#server/numbers/unlink-number.ts';
import { isUnlinking } from '#server/operations/queries/operator.ts';
import type { Database } from '#server/platform/db/client.ts';
import { ACCOUNT_USAGE, accountOptions, contextOfAccount, contextOfNumber } from '../accounts.ts';
import { command, text, whole } from '../command.ts';
import { linkNumber } from '../link-number.ts';
import { workerRuns } from '../require-worker.ts';

const LIMIT_MS = 60_000;
const POLL_MS = 200;

/**
 * Waits until a worker has logged the device out, so that the next linking starts clean. Without a running worker
 * it does not wait: the next worker that starts logs the device out.
 */
async function awaitUnlinked(database: Database, numberId: string): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (await isUnlinking(database.db, { numberId })) {
    if (!(await workerRuns(database))) return;
    if (performance.now() > until)
      throw new AppError(
        'unavailable',
        'The number is unlinked here, but WhatsApp did not confirm it within 60 s. The worker keeps trying.',
      );
    await delay(POLL_MS);
  }
}

export function printedNumber({ id, ...view }: NumberView) {
  return { instance: id, ...view };
}

export const numberCommands = [
  command({
    name: 'number add',
    does: 'Adds a number to an account. Link it with "number link".',
    usage: `${ACCOUNT_USAGE} --network sandbox|whatsapp [--label L] [--interval SECONDS]`,
    options: {
      ...accountOptions,
      network: z.enum(NETWORKS, `must be ${NETWORKS.join(' or ')}`),
      label: text.optional(),
      interval: whole.optional(),
    },
    run: async ({ network, label, interval, ...account }, context) => {
      const number = await addNumber(await contextOfAccount(context, account), {
        network,
        label,
        sendIntervalSeconds: interval,
      });
      return { instance: number.id, status: number.status };
    },
  }),

  command({
    name: 'number link',
    does: 'Links a number: prints a QR code, or a pairing code for --phone. A sandbox number is linked to its virtual phone.',
    usage: '--instance num_… [--phone DIGITS]',
    options: { instance: text, phone: text.optional() },
    run: async ({ instance, phone }, context) => {
      const linked = await linkNumber(await contextOfNumber(context, instance), {
        numberId: instance,
        phone,
      });
      return { instance, phoneNumber: linked.phoneNumber, status: linked.status };
    },
  }),

  command({
    name: 'number unlink',
    does: 'Removes the link to the phone, and cancels waiting messages.',
    usage: '--instance num_…',
    options: { instance: text },
    run: async ({ instance }, context) => {
      const number = { numberId: instance };
      const accountContext = await contextOfNumber(context, instance);
      await unlinkNumber(accountContext, number);
      await awaitUnlinked(accountContext.database, instance);
      return printedNumber(await getNumber(accountContext, number));
    },
  }),

  command({
    name: 'number remove',
    does: 'Unlinks a number and removes it from its account.',
    usage: '--instance num_…',
    options: { instance: text },
    run: async ({ instance }, context) => {
      const number = { numberId: instance };
      const accountContext = await contextOfNumber(context, instance);
      const before = await getNumber(accountContext, number);
      await removeNumber(accountContext, number);
      await awaitUnlinked(accountContext.database, instance);
      return { ...printedNumber(before), status: 'UNLINKED', waiting: 0, removed: true };
    },
  }),

  command({
    name: 'number list',
    does: 'Lists the numbers of an account with their states.',
    usage: ACCOUNT_USAGE,
    options: accountOptions,
    run: async (account, context) => {
      const numbers = await listNumbers(await contextOfAccount(context, account));
      return numbers.map(printedNumber);
    },
  }),
];
