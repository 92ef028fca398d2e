import { admin } from '#app/_features/admin/words.ts';
import { until } from '../faults/until.ts';
import type { Stage, Story } from './stage.ts';
import { dayFromNow } from './times.ts';

const EMAIL = 'dan@estuary.example';
const ADMIN = 'office@wirebird.example';

export const customer: Story = {
  name: 'customer',
  situation: `You are Dan. Estuary, your ferry company, sends tickets and reminders through Wirebird.
You pay for it once a year, by bank transfer. This year the invoice lay around too long.
Days are skipped here: today's date stays the same, and the last day that was paid for comes closer from step to step.
The last steps are of the administrator of Wirebird, who sees your payment arrive.`,

  async play(stage) {
    await stage.person(ADMIN, { admin: true });
    await howToPay(stage);
    const account = await stage.person(EMAIL, { until: dayFromNow(60) });
    const { instance, key } = await stage.number(EMAIL, 'Ferry desk');
    await enabledLongAgo(stage, account);
    const paidUntil = (days: number) => stage.sql`
      update subscriptions set paid_until = ${dayFromNow(days)}::date where account_id = ${account}`;
    const ticket = {
      key,
      path: '/messages/text',
      body: { to: '4915550400001', body: 'Your ferry leaves at 7:10.' },
    };
    await stage.call(ticket);
    const page = await stage.visit(EMAIL);

    for (const days of [7, 1]) {
      stage.notes.says('you', `The plan is paid until ${dayFromNow(days)}.`);
      await paidUntil(days);
      await stage.mailTo(EMAIL);
      await stage.look(page, '/', 'overview');
      await stage.look(page, '/account/plan', 'plan');
    }

    stage.notes.says('you', 'The last day that was paid for was yesterday.');
    await paidUntil(-1);
    await stage.mailTo(EMAIL);
    await stage.look(page, '/', 'overview');
    await stage.look(page, '/account/plan', 'plan');
    await stage.answer(ticket);

    stage.notes.says(
      'you',
      'Three more days pass. Your program has queued reminders, one of them for tomorrow.',
    );
    const ids = await queueReminders(stage, key);
    await stage.look(page, `/numbers/${instance}`, 'number');
    await paidUntil(-4);
    await cancelled(stage, instance);
    await stage.answer(ticket);
    await stage.answer({ ...ticket, headers: { prefer: 'respond-async' } });
    await stage.answer({ key, path: '/status' });
    await stage.answer({ key, path: `/messages/${ids.at(-2)}` });
    await stage.answer({ key, path: `/messages/${ids.at(-1)}` });
    await stage.mailTo(EMAIL);
    await stage.look(page, '/', 'overview');
    await stage.look(page, '/account/plan', 'plan');
    await stage.look(page, `/numbers/${instance}`, 'number');
    await stage.look(page, '/messages', 'messages');
    await stage.look(page, `/messages/${ids.at(-1)}`, 'message');
    await stage.look(page, '/requests', 'requests');

    stage.notes.says(
      'administrator',
      'Two days later your payment is in the bank. The administrator records it.',
    );
    const office = await stage.visit(ADMIN);
    await stage.look(office, '/admin/accounts', 'accounts');
    await office.getByRole('checkbox', { name: admin.accounts.choose(EMAIL) }).check();
    await office.getByRole('button', { name: /^Renew/ }).click();
    const dialog = office.getByRole('dialog');
    await dialog.getByLabel(admin.renew.reference).first().fill('2026-1042');
    await stage.notes.screen(office, 'dialog');
    await dialog.getByRole('button', { name: admin.renew.submit }).click();
    await office.getByText(admin.renew.done(1)).first().waitFor();
    await stage.look(office, `/admin/accounts/${account}`, 'account');

    stage.notes.says('you', 'You are Dan again.');
    await stage.mailTo(EMAIL);
    await stage.look(page, '/', 'overview');
    await stage.look(page, '/account/plan', 'plan');
    await stage.answer({ key, path: '/status' });
    await stage.answer(ticket);
    await stage.look(page, '/messages', 'messages');
    await stage.answer({ key, path: `/messages/${ids.at(-1)}` });
    await stage.look(page, `/numbers/${instance}`, 'number');
  },
};

/** As the administrator wrote it down when setting up. */
async function howToPay({ sql }: Stage): Promise<void> {
  const contact = JSON.stringify({ contactName: 'Eve Tern', contactAddress: ADMIN });
  const text =
    'Pay your invoice by bank transfer to Wirebird, IBAN DE02 1203 0000 0000 2020 51, with its number as the reference.';
  await sql`insert into installation (key, value) values ('how_to_pay', ${text}), ('payment_contact', ${contact})`;
}

/** The plan was enabled a year ago, and Dan knows it: its end is moved into the past, which would be before that. */
async function enabledLongAgo(stage: Stage, account: string): Promise<void> {
  await stage.sql`delete from alerts where account_id = ${account} and kind in ('plan_paid', 'plan_enabled')`;
  await stage.sql`
    update payments set created_at = created_at - interval '1 year', paid_until = paid_until - 30
    where account_id = ${account}`;
}

/** Reminders that wait for their turn, and one for tomorrow; returns their ids. */
async function queueReminders(stage: Stage, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (const hour of [8, 9, 10, 11, 12]) {
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await stage.call({
      ...{ key, path: '/messages/text' },
      headers: { prefer: 'respond-async', ...(hour === 12 && { 'x-send-at': at }) },
      body: { to: `49155504001${String(hour).padStart(2, '0')}`, body: `Your ferry leaves at ${hour}:10.` },
    });
    ids.push(body.data?.id ?? '');
  }
  return ids;
}

function cancelled({ sql }: Stage, instance: string): Promise<void> {
  const left = () =>
    sql`select from messages where number_id = ${instance} and status in ('queued', 'sending')`;
  return until('nothing waits', async () => (await left()).length === 0, 120_000);
}
