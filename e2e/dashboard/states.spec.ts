import type { Page } from 'playwright/test';
import { ACK_OF } from '#app/_features/chat/ack.ts';
import { chat } from '#app/_features/chat/words.ts';
import { cancelledNote } from '#app/_features/numbers/cancelled-words.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { NUMBER_NAMES } from '#server/core/number-sign.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { embeddedPlace } from '#server/start/database.ts';
import { queueMessage } from '#server/testing/domain.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { test as base, expect } from './test.ts';

/** The product's own database, for states that no sandbox phone can cause. */
interface Fixtures {
  database: WithSql;
  /** A number that no worker runs, and a page in its owner's browser. */
  still: { page: Page; account: string; numberId: string };
}

const test = base.extend<Fixtures>({
  database: async ({ stack }, use) => {
    const server = await ensurePostgres(embeddedPlace(stack.dataDir));
    const database = withSql(openDatabase(server.url, 1));
    await use(database);
    await database.close();
    await server.release();
  },
  still: async ({ newCustomer, addNumber, signIn, database }, use) => {
    const customer = await newCustomer();
    const numberId = await addNumber(customer);
    await leaveAlone(database, numberId);
    await use({ page: await signIn(customer), account: customer.account, numberId });
  },
});

/** What a number's page says besides the state's name. */
const OF_NUMBER: Record<NumberStatus, string | RegExp> = {
  UNLINKED: /^No phone has been linked yet\. Link one to send messages\./,
  LINKING: /^A code is shown for linking\. Scan it with the phone that has this number\./,
  SYNCING: /^Linked\. WhatsApp is loading the chats, which can take a few minutes\./,
  CONNECTED: /^Connected for .* A new message is sent within 8 seconds\.$/,
  RECONNECTING: /^You do not need to do anything\. New messages are refused \(409 with Retry-After\)/,
  CONFLICT: /“Use here” takes the session back/,
  LOGGED_OUT: 'Link this number again',
  BLOCKED: 'Wait a day. If you try again sooner, the wait gets longer.',
  SUSPENDED: /Ask the administrator to resume it/,
};

/** Messages in all of their states, and what the page says about each. */
const OF_MESSAGES: [MessageStatus, string | RegExp][][] = [
  [
    ['queued', 'Its number sends nothing now. Open the number to see why.'],
    ['sending', 'It is on its way. WhatsApp has not confirmed it yet. Nothing to do.'],
    ['sent', 'WhatsApp has confirmed it. Nothing to do.'],
    ['delivered', 'It is on the recipient’s phone. Nothing to do.'],
    ['read', 'The recipient has opened it. Nothing to do.'],
  ],
  [
    ['sending', /^It is on its way/],
    ['failed', 'Definitely not sent'],
  ],
  [
    ['sending', /^It is on its way/],
    ['unknown', 'Not confirmed. It may have arrived'],
  ],
  [['expired', 'Not sent: its deadline passed']],
  [['cancelled', 'Not sent: cancelled before its turn']],
];

const FENCE = 1000;

/**
 * A lease of a worker that does not exist, so that the real worker leaves the number and its messages alone.
 */
async function leaveAlone({ sql }: WithSql, numberId: string) {
  await sql`
    insert into leases (number_id, worker_id, fence, expires_at, renewed_at)
    values (${numberId}, 'wrk_of_a_test', ${FENCE}, clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour')
    on conflict (number_id) do update set worker_id = excluded.worker_id, fence = excluded.fence,
      expires_at = excluded.expires_at, renewed_at = excluded.renewed_at`;
}

test('a number’s page shows each new state at once, with its meaning', async ({ still, database }) => {
  const { sql } = database;
  const { page, numberId } = still;
  await page.goto(`/numbers/${numberId}`);
  const main = page.locator('main');
  for (const [status, words] of Object.entries(OF_NUMBER) as [NumberStatus, string | RegExp][]) {
    await sql`
      update numbers set status = ${status}, status_since = clock_timestamp(),
        suspended_at = ${status === 'SUSPENDED' ? now : null} where id = ${numberId}`;
    await expect(main.getByText(NUMBER_NAMES[status], { exact: true }).first()).toBeVisible();
    await expect(main.getByText(words).first()).toBeVisible();
  }
});

test('a connected number of an ended plan has one state on its page, and a plan that ends soon is on the overview', async ({
  still,
  database,
}) => {
  const { sql } = database;
  const { page, account, numberId } = still;
  await sql`update subscriptions set paid_until = current_date + 5 where account_id = ${account}`;
  await sql`update numbers set status = 'CONNECTED', status_since = clock_timestamp() where id = ${numberId}`;
  await sql`insert into number_events (number_id, status) values (${numberId}, 'CONNECTED')`;
  await page.goto('/');
  const warning = page.getByText(
    /^Without a payment the plan ends on \d+ \w+ \d{4} at 00:00 \(\S+\)\. After that, nothing is sent\. How to pay$/,
  );
  await expect(warning).toBeVisible();
  await expect(warning.getByRole('link', { name: 'How to pay' })).toHaveAttribute('href', '/account/plan');
  await sql`update subscriptions set paid_until = current_date + 30 where account_id = ${account}`;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await expect(warning).toHaveCount(0);
  const main = page.locator('main');
  const connected = main.getByText('Connected', { exact: true });
  await page.goto(`/numbers/${numberId}`);
  await expect(connected).toHaveCount(2);
  await sql`update subscriptions set paid_until = current_date - 10 where account_id = ${account}`;
  await page.reload();
  await expect(main.getByText('Stopped', { exact: true })).toBeVisible();
  await expect(main.getByText('Linked', { exact: true })).toBeVisible();
  await expect(connected).toHaveCount(0);
});

test('what a plan’s end cancelled is on the overview and the plan’s page after it works again, until it is dismissed', async ({
  still,
  database,
}) => {
  const { sql } = database;
  const { page, account, numberId } = still;
  await sql`update subscriptions set paid_until = current_date + 30 where account_id = ${account}`;
  await sql`
    insert into alerts (id, event_key, account_id, kind, happened_at, ended_at)
    values (${`alt_${account}`}, ${`end of ${account}`}, ${account}, 'plan_ended', clock_timestamp() - interval '1 hour', clock_timestamp())`;
  const messageId = await queueMessage(database, { accountId: account, numberId });
  await sql`
    update messages set status = 'cancelled', error_code = 'plan_ended', outcome = '{"say": "ended"}',
      settled_at = clock_timestamp() - interval '30 minutes' where id = ${messageId}`;
  const title = page.getByRole('heading', {
    name: 'The plan works again. This was not sent while it had ended',
  });
  for (const path of ['/', '/account/plan']) {
    await page.goto(path);
    await expect(title).toBeVisible();
    await expect(page.getByText(/^1 waiting or scheduled message was cancelled, to \+/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Show cancelled messages' })).toHaveAttribute(
      'href',
      '/messages?status=cancelled',
    );
  }
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await expect(title).toHaveCount(0);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await expect(title).toHaveCount(0);
});

test('on a touch screen a tap shows the exact time, and the page says so', async ({
  newCustomer,
  addNumber,
  signIn,
  database,
}) => {
  const customer = await newCustomer();
  const numberId = await addNumber(customer);
  await database.sql`insert into number_events (number_id, status) values (${numberId}, 'UNLINKED')`;
  const page = await signIn(customer, { width: 390, touch: true });
  await page.goto(`/numbers/${numberId}`);
  await expect(page.getByText('Tap a time to see it exactly.')).toBeVisible();
  await expect(page.getByText('Hover to see the exact time.')).toBeHidden();
  const time = page.locator('main .timeline time').first();
  const exact = page.getByRole('tooltip');
  await time.tap();
  await expect(exact).toContainText(/\d{4}/);
  await time.tap();
  await expect(exact).toHaveCount(0);
});

test('a banned number is linked again from its page', async ({ still, database }) => {
  const { page, numberId } = still;
  await database.sql`
    update numbers set status = 'BLOCKED', cause = '{"code": "banned"}', status_since = clock_timestamp()
    where id = ${numberId}`;
  await page.goto(`/numbers/${numberId}`);
  await page.getByRole('link', { name: 'Link again' }).click();
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  await expect(page.getByText('Preparing the code')).toBeVisible();
});

test('a message’s page shows each new state at once, with its meaning', async ({ still, database }) => {
  const { page, account, numberId } = still;
  for (const states of OF_MESSAGES) {
    const messageId = await queueMessage(database, { accountId: account, numberId });
    await page.goto(`/messages/${messageId}`);
    for (const [status, words] of states) {
      // The real worker shortens a lease that ends too late, and once it ends, a message in `sending` becomes unknown.
      await leaveAlone(database, numberId);
      if (status !== 'queued')
        await database.sql`update messages set status = ${status}, fence = ${FENCE} where id = ${messageId}`;
      await expect(page.getByText(words).first()).toBeVisible();
      await expect(page.getByRole('img', { name: chat.acks[ACK_OF[status]], exact: true })).toBeVisible();
    }
  }
});

test('the overview warns before a message without a confirmation is sent again', async ({
  still,
  database,
}) => {
  const { page, account, numberId } = still;
  const messageId = await queueMessage(database, { accountId: account, numberId });
  for (const status of ['sending', 'unknown']) {
    await leaveAlone(database, numberId);
    await database.sql`update messages set status = ${status}, fence = ${FENCE} where id = ${messageId}`;
  }
  await page.goto('/');
  const again = page.getByRole('button', { name: /^Send again to / });
  await again.click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('It may arrive twice');
  await expect(question.getByRole('button', { name: 'Send again anyway' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(again).toBeFocused();
  await database.sql`update messages set content = null where id = ${messageId}`;
  await page.reload();
  await expect(page.getByRole('button', { name: /^Dismiss the message to / })).toBeVisible();
  await expect(again).toHaveCount(0);
});

for (const { button, status } of [
  { button: 'Send all 2', status: 'queued' },
  { button: 'Discard all 2', status: 'cancelled' },
])
  test(`one click on the linking page decides about messages that waited during relinking: ${button}`, async ({
    still,
    database,
  }) => {
    const { sql } = database;
    const { page, account, numberId } = still;
    for (let n = 0; n < 2; n++) await queueMessage(database, { accountId: account, numberId });
    await sql`
      update numbers set status = 'CONNECTED', status_since = clock_timestamp(), phone_number = ${`4915${Date.now()}`},
        held_at = clock_timestamp(), held_to_decide = true where id = ${numberId}`;
    await sql`update messages set set_aside = true where number_id = ${numberId}`;
    await page.goto(`/numbers/${numberId}/link`);
    await expect(
      page.getByRole('heading', { name: '2 messages waited while the number could not send' }),
    ).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Good morning' })).toHaveCount(2);
    const create = page.getByRole('link', { name: 'Create key' });
    const looks = async (shown: typeof create) => (await shown.getAttribute('class'))?.includes('bg-brand');
    expect(await looks(create)).toBe(false);
    await page.getByRole('button', { name: button }).click();
    const decided = () =>
      sql`select distinct status, set_aside and status = 'queued' as waits from messages where number_id = ${numberId}`;
    await expect.poll(decided).toEqual([{ status, waits: false }]);
    await expect(page.getByRole('heading', { name: /waited while the number could not send/ })).toHaveCount(
      0,
    );
  });

test('the last step of linking and the number’s page say what a change of the phone number cancelled', async ({
  still,
  database,
}) => {
  const { sql } = database;
  const { page, account, numberId } = still;
  await queueMessage(database, { accountId: account, numberId });
  await sql`
    update messages set status = 'cancelled', error_code = 'unlinked', settled_at = clock_timestamp() where number_id = ${numberId}`;
  await sql`
    update numbers set status = 'CONNECTED', status_since = clock_timestamp(), linked_at = clock_timestamp(),
      phone_number = ${`4915${Date.now()}`} where id = ${numberId}`;
  for (const path of [`/numbers/${numberId}/link`, `/numbers/${numberId}`]) {
    await page.goto(path);
    await expect(page.getByText(cancelledNote.text(1, true))).toBeVisible();
    await expect(page.getByText(/^Times in /)).toHaveCount(1);
  }
  await page.getByRole('link', { name: cancelledNote.link(1) }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Good morning' })).toHaveCount(1);
});
