import type { Page } from 'playwright';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { suspendAccount } from '#server/accounts/suspend-account.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { holdNumber } from '#server/numbers/hold-number.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { CLI } from '#server/testing/domain.ts';
import type { WithSql } from '#server/testing/sql.ts';
import { fillAccounts } from './picture-accounts.ts';
import { fillBuilds, runOn, SOME_KINDS_FAIL } from './picture-builds.ts';
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

/** The scenes in drawing order: some change what later ones show. */
export async function makeScenes(
  stack: Stack,
  database: WithSql,
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
  const made = await fillAccounts(stack, database, admin.password);
  const { tern, ended, late, kim, gone, novice, viewer } = made;
  // Kept, because a response that is no longer referenced ends its stream.
  const streams: Response[] = [];
  const { numbers, fresh, stopped, running, again, holds, restricted } = made;
  const { reset, joining, plan, queue, enter } = made;

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
  const linking = `/numbers/${admin.unlinked}/link`;
  const demandPasskey = async () => {
    const control = sandboxClient(stack.dataDir);
    await control.configure({ passkeyCode: 'shown' });
    const accountContext = { database, actor: CLI, accountId: admin.accountId };
    const { sandboxPhone } = await getNumber(accountContext, { numberId: admin.unlinked });
    await control.demandPasskey({ phone: sandboxPhone ?? '', demanded: true });
  };
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
    {
      name: 'number-kinds',
      email: kim.email,
      path: `/numbers/${restricted}`,
      before: () => runOn(database, { numberId: restricted, version: SOME_KINDS_FAIL }),
    },
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
      before: () => enter(again, 'LOGGED_OUT', { code: 'logged_out', reason: null }, '4 seconds'),
      act: open(/^Alerts/),
    },
    { name: 'alerts-none', email: novice.email, path: '/', eachWidth: true, act: open(/^Alerts/) },
    { name: 'link-risk', email: tern.email, path: `/numbers/${fresh}/link` },
    { name: 'number-unlinked', email: admin.email, path: `/numbers/${admin.unlinked}` },
    {
      name: 'link-code',
      email: admin.email,
      before: demandPasskey,
      path: `/numbers/${admin.unlinked}/link`,
      act: async (page) => {
        await press('Show the QR code')(page);
        await page.getByRole('img', { name: /^QR code/ }).waitFor();
      },
    },
    {
      name: 'link-passkey',
      email: admin.email,
      path: linking,
      act: async (page) => {
        await press('Scan with the sandbox phone')(page);
        await page.getByRole('heading', { name: 'Confirm with your passkey' }).waitFor();
      },
    },
    {
      name: 'link-passkey-console',
      email: admin.email,
      path: linking,
      act: async (page) => {
        await page.getByRole('radio', { name: 'Console' }).check();
        await press('Show the code')(page);
        await page.getByTestId('passkey-code').waitFor();
      },
    },
    {
      name: 'link-passkey-code',
      email: admin.email,
      path: linking,
      act: async (page) => {
        await press('Sign with it')(page);
        await seen(page, 'Does the phone show this code?');
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
        while (streams.length < 10)
          streams.push(await fetch(`${stack.url}/api/trpc/live.changes`, { headers: { cookie } }));
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
