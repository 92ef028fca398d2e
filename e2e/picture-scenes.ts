import type { Page } from 'playwright';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { suspendAccount } from '#server/accounts/suspend-account.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import { holdNumber } from '#server/numbers/hold-number.ts';
import { invite } from '#server/people/invitations.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import type { Database } from '#server/platform/db/client.ts';
import { CLI, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { fillBuilds } from './picture-builds.ts';
import type { Stack } from './stack.ts';

/** A page in a state that a healthy account never shows. */
export interface Scene {
  name: string;
  /** The signed-in user; null for a visitor. */
  email: string | null;
  path: string;
  /** Runs before the page is opened. */
  before?: (page: Page) => Promise<unknown>;
  /** Repeats `act` for each width, because a change of width closes what it opens. */
  eachWidth?: boolean;
  /** Runs on the page. */
  act?: (page: Page) => Promise<unknown>;
}

const STATES: [NumberStatus, reason: string | null][] = [
  ['BLOCKED', 'WhatsApp refused this number.'],
  ['LOGGED_OUT', 'The phone removed this device.'],
  ['CONFLICT', null],
  ['RECONNECTING', null],
];

/** The scenes in drawing order: some change what later ones show. */
export async function makeScenes(
  { cli, url }: Stack,
  database: Database,
  admin: {
    email: string;
    password: string;
    numberId: string;
    unlinked: string;
    failed: string;
    unknown: string;
    accountId: string;
  },
): Promise<Scene[]> {
  const { password } = admin;
  const person = async (email: string, ...more: string[]) => {
    const account = ['account', 'create', '--email', email, '--password', password, ...more];
    return { email, accountId: (await cli<{ account: string }>(...account)).account };
  };
  const plan = (accountId: string, numbersIncluded: number, paidUntil: string) =>
    activatePlan({ database, accountId, actor: CLI }, { numbersIncluded, paidUntil, amountCents: 2500 });
  const queue = async (accountId: string, numberId: string, count: number) => {
    for (let at = 0; at < count; at++)
      await queueMessage(database, {
        ...{ accountId, numberId, recipient: `49152288173${String(at).padStart(2, '0')}@c.us` },
        content: { type: 'text', body: `Your bike ${at + 1} is ready. Pick it up any day until 18:00.` },
      });
    await database.sql`
      update messages set deadline_at = clock_timestamp() + interval '5 hours' where status = 'queued'`;
  };
  const enter = async (id: string, status: NumberStatus, reason: string | null, ago: string) => {
    await database.sql`
      update numbers set status = ${status}, status_reason = ${reason},
        status_since = clock_timestamp() - ${ago}::interval where id = ${id}`;
    await database.sql`
      insert into number_events (number_id, status, reason, at)
      values (${id}, ${status}, ${reason}, clock_timestamp() - ${ago}::interval)`;
  };
  const linked = async (accountId: string, label: string, phone: string) => {
    const id = await makeNumber(database, { accountId, label, network: 'whatsapp' });
    // A worker that does not exist holds the number: there is no network here.
    await database.sql`
      insert into leases (number_id, worker_id, fence, expires_at, renewed_at)
      values (${id}, 'wrk_of_a_picture', 1000, clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour')
      on conflict (number_id) do update set worker_id = excluded.worker_id, fence = excluded.fence,
        expires_at = excluded.expires_at, renewed_at = excluded.renewed_at`;
    await database.sql`
      update numbers set phone_number = ${phone}, first_linked_at = clock_timestamp() - interval '9 days',
        created_at = clock_timestamp() - interval '9 days' where id = ${id}`;
    await database.sql`delete from number_events where number_id = ${id}`;
    await enter(id, 'UNLINKED', null, '217 hours');
    await enter(id, 'CONNECTED', null, '216 hours');
    return id;
  };

  const tern = await person('jonas@tern-and-daughters-repair-shop.example');
  await plan(tern.accountId, 9, '2099-12-31');
  const numbers = new Map<string, string>();
  for (const [at, [status, reason]] of STATES.entries()) {
    const id = await linked(tern.accountId, `Counter ${at + 1}`, `4917604069${at}10`);
    await enter(id, status, reason, '9 hours');
    numbers.set(status, id);
  }
  const fresh = await makeNumber(database, { ...tern, label: 'Not linked yet', network: 'whatsapp' });
  const ended = await person('mia@fjord.example');
  await plan(ended.accountId, 2, '2099-12-31');
  const stopped = await linked(ended.accountId, 'Harbour', '4915550000001');
  const last = await queueMessage(database, { ...ended, numberId: stopped });
  await database.sql`update messages set status = 'sending' where id = ${last}`;
  await database.sql`
    update messages set status = 'sent', sent_at = clock_timestamp(), dispatched_at = clock_timestamp() where id = ${last}`;
  await queue(ended.accountId, stopped, 2);
  await plan(ended.accountId, 2, '2026-09-30');
  const late = await person('noor@estuary.example');
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await plan(late.accountId, 2, yesterday);
  const running = await linked(late.accountId, 'Ferry desk', '4915550000002');
  const kim = await person('kim@two-lanes.example');
  await plan(kim.accountId, 3, '2099-12-31');
  const again = await linked(kim.accountId, 'Linked again', '4915550000003');
  const holds = await linked(kim.accountId, 'Night shift', '4915550000004');
  await queue(kim.accountId, again, 3);
  await database.sql`update messages set set_aside = true where number_id = ${again}`;
  await database.sql`update numbers set held_at = clock_timestamp(), held_to_decide = true where id = ${again}`;
  await queue(kim.accountId, holds, 2);
  await holdNumber({ database, accountId: kim.accountId, actor: CLI }, { numberId: holds });
  const restricted = await linked(kim.accountId, 'Newsletter', '4915550000005');
  await database.sql`
    update numbers set linked_at = clock_timestamp() - interval '9 days' where id = ${restricted}`;
  await database.sql`
    insert into number_health (number_id, timelock_kind, timelock_until, restricted_since, read_at)
    values (${restricted}, 'DEFAULT', clock_timestamp() + interval '53 hours', clock_timestamp(), clock_timestamp())`;
  await database.sql`
    insert into recipients (number_id, recipient, asked_at)
    select ${restricted}, '49155500' || n || '@c.us', clock_timestamp() - (n - 10000) * interval '1 minute' from generate_series(10001, 10031) n`;
  const gone = await person('lena@gone.example');
  const novice = await person('ada@new.example');
  const viewer = await person('otto@operator.example', '--admin');
  const reset = new URL((await cli<{ link: string }>('account', 'reset', '--email', novice.email)).link);
  const { link } = await invite({ database, ...tern, actor: CLI }, { role: 'member', note: 'Jonas' });
  const joining = new URL(link);

  const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
  const open = (name: string | RegExp) => async (page: Page) => {
    await press(name)(page);
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
  };
  const choose = (item: string) => async (page: Page) => {
    await press(/^Actions for/)(page);
    await page.getByRole('menuitem', { name: item }).click();
    await page.locator('[role=dialog], [role=alertdialog]').waitFor();
  };
  const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const own = `/numbers/${admin.numberId}`;
  return [
    ...[...numbers].map(([status, id]) => ({
      name: `number-${status.toLowerCase()}`,
      email: tern.email,
      path: `/numbers/${id}`,
    })),
    { name: 'builds-none', email: viewer.email, path: '/admin/whatsapp-web' },
    {
      name: 'builds',
      email: viewer.email,
      path: '/admin/whatsapp-web',
      before: () => fillBuilds(database, { trier: running, sender: stopped }),
    },
    { name: 'overview-trouble', email: tern.email, path: '/' },
    { name: 'numbers-trouble', email: tern.email, path: '/numbers' },
    { name: 'number-restricted', email: kim.email, path: `/numbers/${restricted}` },
    { name: 'decide-number', email: kim.email, path: `/numbers/${again}` },
    { name: 'decide-link', email: kim.email, path: `/numbers/${again}/link` },
    { name: 'decide-overview', email: kim.email, path: '/' },
    { name: 'decide-numbers', email: kim.email, path: '/numbers' },
    { name: 'decide-held', email: kim.email, path: `/numbers/${holds}` },
    {
      name: 'alerts-none-yet',
      email: kim.email,
      path: '/',
      eachWidth: true,
      before: () => enter(again, 'LOGGED_OUT', 'The phone removed this device.', '4 seconds'),
      act: open(/^Alerts/),
    },
    { name: 'alerts-none', email: novice.email, path: '/', eachWidth: true, act: open(/^Alerts/) },
    { name: 'link-risk', email: tern.email, path: `/numbers/${fresh}/link` },
    { name: 'number-unlinked', email: admin.email, path: `/numbers/${admin.unlinked}` },
    {
      name: 'link-code',
      email: admin.email,
      path: `/numbers/${admin.unlinked}/link`,
      act: async (page) => {
        await press('Show the QR code')(page);
        await page.getByRole('img', { name: /^QR code/ }).waitFor();
      },
    },
    { name: 'search', email: admin.email, path: '/', act: open(/^Search/) },
    { name: 'key-create', email: admin.email, path: '/keys', act: open('Create key') },
    { name: 'number-remove', email: admin.email, path: own, act: choose('Remove') },
    { name: 'message-failed', email: admin.email, path: `/messages/${admin.failed}` },
    { name: 'message-unknown', email: admin.email, path: `/messages/${admin.unknown}` },
    { name: 'alerts', email: admin.email, path: '/', eachWidth: true, act: open(/^Alerts/) },
    {
      name: 'account-delete',
      email: admin.email,
      path: '/account/settings',
      act: open(/^Delete this account/),
    },
    {
      name: 'key-shown',
      email: admin.email,
      path: '/keys',
      act: async (page) => {
        await open('Create key')(page);
        await page.getByRole('dialog').getByLabel('Name').fill('Shop backend');
        await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
        await page.getByTestId('api-key').waitFor();
      },
    },
    {
      name: 'offline',
      email: admin.email,
      path: '/numbers',
      act: (page) =>
        page.evaluate(() => {
          Object.defineProperty(navigator, 'onLine', { get: () => false });
          window.dispatchEvent(new Event('offline'));
        }),
    },
    { name: 'number-unlink', email: admin.email, path: own, act: choose('Unlink') },
    { name: 'number-replace', email: admin.email, path: own, act: choose('Change phone number') },
    {
      name: 'queue-long',
      email: admin.email,
      path: own,
      before: async () => {
        await holdNumber({ database, ...admin, actor: CLI }, admin);
        await queue(admin.accountId, admin.numberId, 64);
      },
      act: press('Show all'),
    },
    {
      name: 'overview-waiting',
      email: admin.email,
      path: '/',
      before: () => queue(admin.accountId, admin.unlinked, 3),
    },
    {
      name: 'overview-cancelled',
      email: ended.email,
      path: '/',
      before: () =>
        database.sql`update messages set status = 'cancelled' where number_id = ${stopped} and status = 'queued'`,
    },
    { name: 'plan-ended-overview', email: ended.email, path: '/' },
    { name: 'plan-ended', email: ended.email, path: '/account/plan' },
    { name: 'plan-ended-number', email: ended.email, path: `/numbers/${stopped}` },
    { name: 'grace-overview', email: late.email, path: '/' },
    { name: 'grace-plan', email: late.email, path: '/account/plan' },
    { name: 'grace-number', email: late.email, path: `/numbers/${running}` },
    { name: 'first-steps', email: novice.email, path: '/' },
    { name: 'reset-link', email: null, path: reset.pathname + reset.search + reset.hash },
    { name: 'join-link', email: null, path: joining.pathname + joining.search + joining.hash },
    {
      name: 'viewing-overview',
      email: viewer.email,
      path: '/',
      before: async (page) => {
        await page.goto(`/admin/accounts/${tern.accountId}`);
        await press('View as a member')(page);
        await page.getByRole('region', { name: 'View of another account' }).waitFor();
      },
    },
    { name: 'viewing-number', email: viewer.email, path: `/numbers/${numbers.get('BLOCKED')}` },
    { name: 'viewing-settings', email: viewer.email, path: '/account/settings' },
    {
      name: 'plan-beyond',
      email: tern.email,
      path: '/account/plan',
      before: () => plan(tern.accountId, 2, '2099-12-31'),
    },
    { name: 'overview-beyond', email: tern.email, path: '/' },
    {
      name: 'plan-suspended',
      email: tern.email,
      path: '/account/plan',
      before: () => suspendAccount({ database, ...tern, actor: CLI }, { suspended: true }),
    },
    { name: 'overview-suspended', email: tern.email, path: '/' },
    {
      name: 'account-deleted',
      email: gone.email,
      path: '/',
      act: async (page) => {
        await deleteAccount({ database, ...gone, actor: CLI }, { accountName: null });
        await seen(page, /was deleted$/);
      },
    },
    {
      name: 'no-account',
      email: novice.email,
      path: '/',
      before: () => database.sql`delete from memberships where account_id = ${novice.accountId}`,
    },
    {
      name: 'stream-refused',
      email: kim.email,
      path: '/',
      before: async (page) => {
        const cookies = await page.context().cookies();
        const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
        for (let streams = 0; streams < 10; streams++)
          await fetch(`${url}/api/trpc/live.changes`, { headers: { cookie } });
      },
      act: (page) => seen(page, /^This page is not updating/),
    },
    {
      name: 'sign-in-refused',
      email: null,
      path: '/sign-in',
      act: async (page) => {
        await page.getByLabel('Email').fill(novice.email);
        await page.getByLabel('Password').fill('granite otter under willow');
        while (!(await page.getByText(/^Too many/).isVisible())) {
          await press('Sign in')(page);
          await page.locator('form').getByRole('alert').waitFor();
        }
      },
    },
    {
      name: '500',
      email: admin.email,
      path: '/',
      before: () => database.sql`alter table subscriptions rename to subscriptions_away`,
    },
  ];
}
