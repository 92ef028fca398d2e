import type { Page } from 'playwright';
import { linking } from '#app/_features/linking/words.ts';
import { numberDialogs } from '#app/_features/numbers/dialog-words.ts';
import { numbers } from '#app/_features/numbers/words.ts';
import { until } from '../faults/until.ts';
import type { Stage, Story } from './stage.ts';
import { zoneAtHour } from './times.ts';

const EMAIL = 'clara@larkspur.example';
const ZONE = zoneAtHour(2);
const WIDTHS = [1280, 390];
const NEW_PHONE = '999111222333';

export const shopOwner: Story = {
  name: 'shop-owner',
  situation: `You are Clara. You own Larkspur, a flower shop. Your web shop sends messages from the shop's WhatsApp number.
You lost the phone yesterday evening. In the morning you find an email.
You are not a programmer. Where the web shop noticed something, its log is attached.`,
  env: { TIME_ZONE: ZONE },

  async play(stage) {
    await stage.person(EMAIL);
    const { instance, key } = await stage.number(EMAIL, 'Larkspur');
    await stage.call({ key, path: '/messages/text', body: { to: '4915550300000', body: 'Thank you!' } });
    const page = await stage.visit(EMAIL, ZONE);
    await stage.look(page, '/', 'overview', { widths: WIDTHS });

    await loseThePhone(stage, { instance, key }, ['roses', 'lilies', 'asters', 'dahlias', 'peonies']);
    await stage.mailTo(EMAIL);
    await stage.look(page, '/', 'overview', { widths: WIDTHS });
    await stage.look(page, `/numbers/${instance}`, 'number', { widths: WIDTHS });

    stage.notes.says(
      'you',
      'You bought a new phone. Your provider gave you a new SIM card with the same phone number.',
    );
    await page.getByRole('link', { name: numbers.page.linkAgain }).first().click();
    await page.waitForURL(`**/numbers/${instance}/link`);
    await linkPhone(stage, page, instance);
    stage.notes.says('you', 'You decide that the messages that waited are still right, and have them sent.');
    await page.goto(`/numbers/${instance}`);
    await page.getByRole('button', { name: /^Send / }).click();
    await stage.notes.screen(page, 'number', { widths: WIDTHS });
    await sentAll(stage, instance);
    await stage.look(page, '/messages', 'messages', { widths: WIDTHS });

    stage.notes.says(
      'you',
      'Some weeks later the new phone is stolen. This time you get another phone number.',
    );
    const stolen = await loseThePhone(stage, { instance, key }, ['tulips', 'irises', 'poppies', 'crocuses']);
    await stage.mailTo(EMAIL);
    await stage.look(page, `/numbers/${instance}`, 'number', { widths: WIDTHS });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: numbers.page.replace }).click();
    await page.getByLabel(numberDialogs.replace.phone, { exact: true }).fill(`+${NEW_PHONE}`);
    await stage.notes.screen(page, 'dialog', { widths: WIDTHS });
    await page.getByRole('button', { name: numberDialogs.replace.submit }).click();
    await page.waitForURL(`**/numbers/${instance}/link`);
    await linkPhone(stage, page, instance);
    await stage.look(page, `/messages/${stolen.at(-2)}`, 'message', { widths: WIDTHS });
    await stage.look(page, `/messages/${stolen.at(-1)}`, 'message', { widths: WIDTHS });
  },
};

/** Scans the code on the linking page, then reads the mail and the pages that changed. */
async function linkPhone(stage: Stage, page: Page, instance: string): Promise<void> {
  await stage.notes.screen(page, 'link', { widths: WIDTHS });
  await scan(stage, page);
  await stage.notes.screen(page, 'link', { widths: WIDTHS });
  await stage.mailTo(EMAIL);
  await stage.look(page, '/', 'overview', { widths: WIDTHS });
  await stage.look(page, `/numbers/${instance}`, 'number', { widths: WIDTHS });
  await stage.look(page, '/messages', 'messages', { widths: WIDTHS });
}

/** The number logs out while messages wait, the last one for later. Returns their ids. */
async function loseThePhone(
  stage: Stage,
  { instance, key }: { instance: string; key: string },
  flowers: readonly string[],
): Promise<string[]> {
  const later = new Date(Date.now() + 86_400_000 / 3).toISOString();
  const ids: string[] = [];
  for (const [n, what] of flowers.entries()) {
    const last = n === flowers.length - 1;
    const { body } = await stage.call({
      ...{ key, path: '/messages/text' },
      headers: { prefer: 'respond-async', ...(last && { 'x-send-at': later }) },
      body: { to: `491555030010${n}`, body: `Your ${what} are ready.` },
    });
    ids.push(body.data?.id ?? '');
  }
  await stage.stack.cli('sandbox', 'phone', '--instance', instance, '--do', 'unlink');
  await until('the number is logged out', async () => {
    const [row] = await stage.sql`select status from numbers where id = ${instance}`;
    return row?.status === 'LOGGED_OUT';
  });
  const call = {
    key,
    path: '/messages/text',
    body: { to: '4915550300106', body: 'Your violets are ready.' },
  };
  const { printed } = await stage.call(call);
  stage.notes.says('log', `From the log of the web shop:\n\n${printed}`);
  return ids;
}

/** Shows the code, and has the phone scan it. */
async function scan(stage: Stage, page: Page): Promise<void> {
  await until('the code is shown', async () => {
    const start = page.getByRole('button', { name: linking.start.submit });
    if (await start.isVisible()) await start.click();
    const code = page.getByRole('img', { name: /^QR code/ });
    return code.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
  await stage.notes.screen(page, 'link', { widths: WIDTHS });
  await page.getByRole('button', { name: linking.sandbox.scan }).click();
  await page.getByRole('heading', { name: /is connected$/ }).waitFor({ timeout: 60_000 });
}

function sentAll({ sql }: Stage, instance: string): Promise<void> {
  const waits = () => sql`
    select from messages where number_id = ${instance} and status in ('queued', 'sending') and send_at is null`;
  return until('the waiting messages are sent', async () => (await waits()).length === 0, 120_000);
}
