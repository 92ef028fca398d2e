import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright/test';
import { expect, test } from 'playwright/test';
import postgres from 'postgres';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { startSmtpServer } from '#server/testing/smtp.ts';
import { type Stack, startStack } from '../stack.ts';
import { signOut, visitor } from './dashboard-client.ts';

const PASSWORD = 'a kingfisher dives at dusk';
const NEW = 'granite otter under willow';

let directory: string;
let cluster: Awaited<ReturnType<typeof ensurePostgres>>;
let sql: postgres.Sql;
let stack: Stack;
let smtp: Awaited<ReturnType<typeof startSmtpServer>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-account-'));
  cluster = await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
  sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  smtp = await startSmtpServer();
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'wirebird@wirebird.example' };
  stack = await startStack({ env: { DATABASE_URL: cluster.url, ...mail } });
});
test.afterAll(async () => {
  await stack?.stop();
  await smtp?.close();
  await sql?.end();
  await cluster?.release();
  await rm(directory, { recursive: true, force: true });
});

let people = 0;
async function newPerson(options: { admin?: boolean } = {}): Promise<string> {
  const email = `person-${++people}@example.org`;
  const admin = options.admin ? ['--admin'] : [];
  await stack.cli('account', 'create', '--email', email, '--password', PASSWORD, ...admin);
  return email;
}

/** A separate browser at the sign-in page. */
async function visit(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: stack.url });
  const page = await context.newPage();
  await page.goto('/sign-in');
  return page;
}

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(browser: Browser, email: string, password = PASSWORD): Promise<Page> {
  const page = await visit(browser);
  await fillSignIn(page, email, password);
  await page.waitForURL(`${stack.url}/`);
  return page;
}

/** How long after `action` an open page returns to the sign-in form, in ms. */
async function endedAfter(page: Page, action: () => Promise<unknown>): Promise<number> {
  await expect(page.getByRole('status').filter({ hasText: 'Auto-updating' }).first()).toBeVisible();
  const left = page.waitForURL('**/sign-in?**').then(() => performance.now());
  await action();
  const done = performance.now();
  return (await left) - done;
}

/** The cookie of a page's session, as sent with a request. */
async function sessionOf(page: Page): Promise<string> {
  const session = (await page.context().cookies()).find(({ name }) => name.endsWith('wirebird.session'));
  return `${session?.name}=${session?.value}`;
}

test('a reset link sets a password once, and open pages in other browsers are signed out at once', async ({
  browser,
}) => {
  const email = await newPerson();
  const elsewhere = await signIn(browser, email);
  const { link } = await stack.cli<{ link: string }>('account', 'reset', '--email', email);
  const page = await visit(browser);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.goto(`${stack.url}/reset${new URL(link).hash}`);
  await page.getByLabel('New password').fill(NEW);
  const ended = await endedAfter(elsewhere, async () => {
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL('**/sign-in?reset=1');
  });
  // A second, plus the time to load the form.
  expect(ended).toBeLessThan(2_500);
  await expect(page.getByText('Your new password is set.')).toBeVisible();
  await fillSignIn(page, email, PASSWORD);
  await expect(page.getByText('Wrong email or password')).toBeVisible();
  await fillSignIn(page, email, NEW);
  await page.waitForURL(`${stack.url}/`);
  await page.goto(`${stack.url}/reset${new URL(link).hash}`);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expect(page.getByText('This link was already used or has expired.')).toBeVisible();
});

test('a new user confirms the address with the mailed link, and can correct it before', async ({
  browser,
}) => {
  const page = await visit(browser);
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.getByLabel('Company or project').fill('Heron & Sons');
  await page.getByLabel('Email').fill('mistyped@example.org');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.getByRole('button', { name: 'Correct the address' }).click();
  await expect(page.getByLabel('Company or project')).toHaveValue('Heron & Sons');
  await page.getByLabel('Email').fill('heron@example.org');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('heron@example.org')).toBeVisible();
  const mail = () => smtp.mails.find(({ to }) => to.includes('heron@example.org'))?.text;
  await expect.poll(mail).toContain('/confirm#');
  expect(
    await sql`select 1 from users where email in ('mistyped@example.org', 'heron@example.org')`,
  ).toHaveLength(0);

  await page.goto(`${stack.url}/confirm#${/confirm#([\w-]+)/.exec(mail() ?? '')?.[1]}`);
  await page.getByLabel('Password').fill(NEW);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(page.getByText('This password does not match the sign-up.')).toBeVisible();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL(`${stack.url}/`);
});

test('the account page changes the password and signs other browsers out', async ({ browser }) => {
  const email = await newPerson();
  const [here, there] = [await signIn(browser, email), await signIn(browser, email)];
  await here.getByRole('button', { name: 'You and your account' }).click();
  await here.getByRole('menuitem', { name: 'Your account' }).click();
  await expect(here.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await expect(here.getByRole('listitem').filter({ hasText: 'Last used' })).toHaveCount(2);
  await here.getByLabel('Current password').fill(PASSWORD);
  await here.getByLabel('New password').fill(NEW);
  await endedAfter(there, () => here.getByRole('button', { name: 'Change password' }).click());
  await expect(here.getByText('Your password is changed', { exact: true })).toBeVisible();
  await expect(here.getByRole('listitem').filter({ hasText: 'Last used' })).toHaveCount(1);
  const again = await signIn(browser, email, NEW);
  await here.reload();
  await endedAfter(again, () => here.getByRole('button', { name: 'Sign out', exact: true }).click());
  await here.getByRole('button', { name: 'Sign out everywhere' }).click();
  await here.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(here).toHaveURL(/\/sign-in/);
});

test('a second factor is set up with an app and required at the next sign-in, and a recovery code replaces it', async ({
  browser,
}) => {
  const email = await newPerson();
  const page = await signIn(browser, email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Turn on' }).click();
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  await page.getByLabel('Code', { exact: true }).fill(code(0));
  await page.getByRole('button', { name: 'Verify code' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  const recovery = (await page.getByRole('dialog').getByRole('listitem').first().textContent()) ?? '';
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible();

  const other = await visit(browser);
  await fillSignIn(other, email, PASSWORD);
  await expect(other.getByText('Enter the code from your authenticator app.')).toBeVisible();
  await other.getByLabel('Code', { exact: true }).fill(code(5));
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByText('This code is wrong')).toBeVisible();
  // A code counts once, so this is the next one. Both stay valid if a new step begins before they are checked.
  await other.getByLabel('Code', { exact: true }).fill(code(1));
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.waitForURL(`${stack.url}/`);

  const third = await visit(browser);
  await fillSignIn(third, email, PASSWORD);
  await third.getByLabel('Code', { exact: true }).fill(recovery);
  await third.getByRole('button', { name: 'Sign in' }).click();
  await third.waitForURL(`${stack.url}/`);
});

test('sensitive actions ask for the password again, then continue', async ({ browser }) => {
  const email = await newPerson({ admin: true });
  const customer = await newPerson();
  const page = await signIn(browser, email);
  const tab = await page.context().newPage();
  const streams: string[] = [];
  tab.on('request', (request) => request.url().includes('live.changes') && streams.push(request.url()));
  await tab.goto(`${stack.url}/numbers`);
  await expect(tab.getByRole('status').filter({ hasText: 'Auto-updating' }).first()).toBeVisible();
  await sql`update sign_ins set confirmed_at = now() - interval '11 minutes'`;
  const before = await sessionOf(page);
  await page.goto('/admin/accounts');
  await page.getByRole('link', { name: customer }).first().click();
  await page.getByRole('button', { name: 'Create reset link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password').fill(NEW);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('The password is wrong.')).toBeVisible();
  expect(await sessionOf(page)).toBe(before);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('dialog', { name: 'Password reset link' })).toContainText('/reset#');

  // The session now has a new token; the old one gives no access and cannot end the session.
  const after = await sessionOf(page);
  const withOld = visitor(stack.url, { origin: stack.url }, before);
  expect((await withOld.query('account.me')).status).toBe(401);
  expect((await withOld.mutate('user.endAllSignIns')).status).toBe(401);
  await signOut(stack.url, before);
  expect((await visitor(stack.url, {}, after).query('account.me')).status).toBe(200);
  // The stream of another tab continues, and the tab's requests have the new token.
  await stack.cli('number', 'add', '--email', email, '--network', 'sandbox', '--label', 'After it');
  await expect(tab.getByText('After it').first()).toBeVisible();
  expect(streams).toHaveLength(1);
  await signOut(stack.url, after);
  expect((await visitor(stack.url, {}, after).query('account.me')).status).toBe(401);
});

test('a dialog does not say that the server is slow while the password is asked for', async ({ browser }) => {
  const page = await signIn(browser, await newPerson());
  await sql`update sign_ins set confirmed_at = now() - interval '11 minutes'`;
  await page.clock.install();
  await page.goto(`${stack.url}/account/people`);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.clock.fastForward(20_000);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.getByText('No response from the server yet')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('dialog', { name: 'Invitation link' })).toContainText('/join#');
});
