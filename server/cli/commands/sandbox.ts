import { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import type { InboxEntry } from '#server/sandbox/contract.ts';
import { readControlFile } from '#server/sandbox/control-file.ts';
import { ACTIONS, STAGES } from '#server/sandbox/rule.ts';
import { contextOfNumber } from '../accounts.ts';
import { type CliContext, command, text, whole } from '../command.ts';
import { printedNumber } from './number.ts';

const PHONE_ACTIONS = ['offline', 'online', 'unlink', 'replaced'] as const;
const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, `must be one of ${names.join(', ')}`);

export const sandboxCommands = [
  command({
    name: 'sandbox inbox',
    does: 'Lists what has arrived from a sandbox number.',
    usage: '--instance num_…',
    options: { instance: text },
    run: async ({ instance }, context) => {
      const { phone } = await virtualPhone(context, instance);
      return (await deliveredOn(phone)).map(printedEntry);
    },
  }),

  command({
    name: 'sandbox phone',
    does: 'Changes the virtual phone of a sandbox number.',
    usage: `--instance num_… --do ${PHONE_ACTIONS.join('|')}`,
    options: { instance: text, do: oneOf(PHONE_ACTIONS) },
    run: async ({ instance, do: action }, context) => {
      const { accountContext, phone } = await virtualPhone(context, instance);
      await sandboxClient()[action]({ phone });
      return printedNumber(await getNumber(accountContext, { numberId: instance }));
    },
  }),

  command({
    name: 'sandbox rule',
    does: 'Makes the sandbox fail or delay messages of a number.',
    usage: `--instance num_… --stage ${STAGES.join('|')} --action ${ACTIONS.join('|')} [--times N] [--ms N] [--to RECIPIENT]`,
    options: {
      instance: text,
      stage: oneOf(STAGES),
      action: oneOf(ACTIONS),
      times: whole.optional(),
      ms: whole.optional(),
      to: text.optional(),
    },
    run: async ({ instance, ...rule }, context) => {
      const { phone } = await virtualPhone(context, instance);
      return sandboxClient().addRule({ phone, rule });
    },
  }),

  command({
    name: 'sandbox samples',
    does: 'Prints the URLs of sample files that you can send.',
    usage: '',
    options: {},
    run: async () => {
      const { host: _, ...byKind } = readControlFile().samples;
      return byKind;
    },
  }),
];

async function virtualPhone(
  context: CliContext,
  instance: string,
): Promise<{ accountContext: AccountContext; phone: string }> {
  const accountContext = await contextOfNumber(context, instance);
  const { sandboxPhone } = await getNumber(accountContext, { numberId: instance });
  if (!sandboxPhone)
    throw new AppError(
      'invalid_parameters',
      `${instance} is on the real network: only sandbox numbers have a virtual phone.`,
    );
  return { accountContext, phone: sandboxPhone };
}

/** The sandbox does not know a phone that has never scanned a QR; such a phone has no messages. */
async function deliveredOn(phone: string): Promise<InboxEntry[]> {
  try {
    return await sandboxClient().inbox({ phone });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return [];
    throw error;
  }
}

function printedEntry(entry: InboxEntry) {
  const { id: _id, ack: _ack, repeats: _repeats, linkPreview: _linkPreview, ...printed } = entry;
  return printed;
}
