import type { PageCheckName } from '#server/core/page-check.ts';
import { checkPage } from '#server/operations/check-page.ts';
import { pageReport } from '#server/operations/page-report.ts';
import { contextOfNumber } from '../accounts.ts';
import { command, Lines, text } from '../command.ts';

/** What each part of the self-test shows. */
const CHECKS: Record<PageCheckName, string> = {
  functions: 'has the functions that every message needs',
  gate: 'holds back a message that did not pass the gate',
  models: 'reads keys and reports acknowledgements and the connection',
  ping: 'reports the server’s answer to a ping',
  canary: 'gives a test message to the gate, which holds it back',
  text: 'builds a text',
  image: 'prepares and builds an image',
  document: 'prepares and builds a document',
  audio: 'prepares and builds an audio file',
  location: 'builds a location',
  contact: 'builds a contact card',
  group: 'knows the members of a group and builds a text to it',
};
const COMMS = {
  page: 'WhatsApp’s connection runs in the page. Its reasons are visible.',
  worker: 'WhatsApp’s connection runs in a worker. Its reasons are visible.',
  unseen: 'WhatsApp’s reasons are not visible: a refused or ended session gets a general reason.',
} as const;

export const whatsappCommands = [
  command({
    name: 'whatsapp check',
    does: 'Runs the self-test on a connected number’s page of WhatsApp Web. Sends nothing.',
    usage: '--instance num_…',
    options: { instance: text },
    run: async ({ instance }, context) => {
      const number = { numberId: instance };
      const { build, comms, rows } = await checkPage(await contextOfNumber(context, instance), number);
      const failed = rows.filter(({ failed }) => failed !== null);
      if (failed.length > 0) process.exitCode = 1;
      return new Lines([
        `WhatsApp Web build ${build}`,
        ...rows.map(({ check, failed }) =>
          failed === null
            ? `ok    ${check.padEnd(10)} ${CHECKS[check]}`
            : `FAIL  ${check.padEnd(10)} ${failed}`,
        ),
        COMMS[comms],
        failed.length === 0 ? 'Everything works.' : `${failed.length} of ${rows.length} parts fail.`,
      ]);
    },
  }),

  command({
    name: 'whatsapp report',
    does: 'Prints what a bug report about WhatsApp Web needs: build, self-test, states and outcomes of a day. No text, phone number or key.',
    usage: '--instance num_…',
    options: { instance: text },
    run: async ({ instance }, context) =>
      pageReport(await contextOfNumber(context, instance), { numberId: instance }),
  }),
];
