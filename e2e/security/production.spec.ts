import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'playwright/test';
import { type Stack, startStack } from '../stack.ts';
import { signIn, visitor } from './dashboard-client.ts';
import { startHttpsProxy } from './over-https.ts';

/** The product as it faces the internet: in production, behind an HTTPS proxy. */
const PUBLIC = 'https://send.example';
const PASSWORD = 'a kingfisher dives at dusk';
const HTTPS = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7', origin: PUBLIC };

let stack: Stack;
let directory: string;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-production-'));
  stack = await startStack({
    dataDir: directory,
    env: {
      WIREBIRD_ENV: 'production',
      PUBLIC_URL: PUBLIC,
      TRUST_PROXY: 'on',
      AUTH_SECRET: 'a-secret-of-this-test-'.repeat(2),
      KEY_PEPPER: 'a-pepper-of-this-test-'.repeat(2),
      DATA_KEY: 'a-data-key-of-this-test-'.repeat(2),
    },
  });
});
test.afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function person(...more: string[]): Promise<{ email: string; password: string }> {
  const email = `person-${Math.random().toString(36).slice(2)}@example.org`;
  await stack.cli('account', 'create', '--email', email, '--password', PASSWORD, ...more);
  return { email, password: PASSWORD };
}

test('cookies are limited to this host and HTTPS, and unreachable for scripts and other sites', async () => {
  // The library uses the product's address, whatever host a request names.
  const claimed = { ...HTTPS, 'x-forwarded-host': 'evil.example' };
  const { setCookies, status, answer } = await signIn(stack.url, await person(), claimed);
  expect([status, JSON.parse(answer)]).toEqual([200, { url: PUBLIC }]);
  expect(setCookies.some((line) => line.startsWith('__Host-wirebird.session='))).toBe(true);
  for (const line of setCookies) {
    expect(line).toMatch(/^__Host-wirebird\.\w+=/);
    expect(line).toMatch(/; Path=\/(;|$)/);
    expect(line).not.toMatch(/; Domain=/i);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax']) expect(line).toContain(`; ${attribute}`);
  }
});

test('a browser stores the chosen theme in a cookie of the same kind, and the first paint uses it', async ({
  playwright,
  launchOptions,
}) => {
  const { email, password } = await person();
  const proxy = await startHttpsProxy(stack.url, 'send.example');
  const rule = `--host-resolver-rules=MAP send.example:443 127.0.0.1:${proxy.port}`;
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), rule],
  });
  try {
    const page = await browser.newPage({ baseURL: PUBLIC, ignoreHTTPSErrors: true });
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/');
    await page.getByRole('button', { name: 'You and your account' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(await (await page.goto('/account'))?.text()).toContain('data-theme="dark"');
    const kept = await page.context().cookies();
    expect(kept.find(({ name }) => name === '__Host-wirebird.theme')?.value).toBe('dark');
    for (const { name, ...cookie } of kept) {
      expect(name).toMatch(/^__Host-wirebird\.\w+$/);
      expect(cookie).toMatchObject({ domain: 'send.example', path: '/', secure: true, sameSite: 'Lax' });
    }
  } finally {
    await browser.close();
    proxy.stop();
  }
  // A cookie name that a neighbouring host could have set is ignored.
  const foreign = await visitor(stack.url, HTTPS, 'wirebird.theme=dark').get('/sign-in');
  expect(await foreign.text()).not.toContain('data-theme="dark"');
});

test('no other site can sign a user in or out', async () => {
  const who = await person();
  const client = await signIn(stack.url, who, HTTPS);
  const { csrfToken } = (await (await client.get('/api/auth/csrf')).json()) as { csrfToken: string };
  for (const path of ['callback/credentials', 'signout'])
    for (const from of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: PUBLIC, 'sec-fetch-site': 'cross-site' },
      { origin: 'https://other.send.example', 'sec-fetch-site': 'same-site' },
    ]) {
      const asked = await fetch(`${stack.url}/api/auth/${path}`, {
        method: 'POST',
        headers: { ...HTTPS, cookie: client.cookie, ...from },
        body: new URLSearchParams({ ...who, csrfToken, callbackUrl: '/', json: 'true' }),
      });
      expect([asked.status, asked.headers.getSetCookie()], `${path} ${JSON.stringify(from)}`).toEqual([
        403,
        [],
      ]);
    }
  expect((await client.query('account.me')).status).toBe(200);
});

test('of 40 wrong passwords from one address block ten are checked, and a browser that was signed in is not delayed', async () => {
  const who = await person();
  const known = await signIn(stack.url, who, { ...HTTPS, 'x-forwarded-for': '198.51.100.40' });
  const wrong = { ...who, password: 'granite otter under willow' };
  const from = (address: string) => ({ ...HTTPS, 'x-forwarded-for': address });
  const guess = async (address: string, cookie = '', given = wrong) =>
    (await signIn(stack.url, given, from(address), cookie)).answer;
  const answers: string[] = [];
  for (let n = 0; n < 40; n++)
    answers.push(await guess(`[2001:db8:9:9:${n.toString(16)}::${n}]:${40_000 + n}`));
  expect(answers.filter((answer) => answer.includes('CredentialsSignin'))).toHaveLength(10);
  expect(answers.filter((answer) => answer.includes('rate_limited'))).toHaveLength(30);

  // After attempts from many blocks every stranger must wait, but a known user need not.
  for (let n = 0; n < 30; n++) await guess(`2001:db8:${(n + 256).toString(16)}::1`);
  expect(await guess('2001:db8:fff:1::1', '', who)).toContain('rate_limited');
  const device = known.cookie.split('; ').find((one) => one.includes('wirebird.device')) ?? '';
  const answer = await guess('2001:db8:fff:2::1', device, who);
  expect(answer).not.toContain('error');
  // The same without the browser's cookie, from a known address.
  expect(await guess('198.51.100.40', '', who)).not.toContain('error');
});

test('browsers are required to use HTTPS', async () => {
  for (const page of ['/sign-in', '/nowhere', '/docs', '/v1/status', '/v1/openapi.json']) {
    const answer = await visitor(stack.url, HTTPS).get(page);
    expect(answer.headers.get('strict-transport-security'), page).toMatch(/^max-age=31536000/);
    expect(answer.headers.get('content-security-policy'), page).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('x-content-type-options'), page).toBe('nosniff');
  }
});

test('a key sent over plain HTTP is refused unread, and nothing is redirected', async () => {
  const answer = await fetch(`${stack.url}/v1/status`, {
    headers: { 'x-forwarded-proto': 'http', 'x-forwarded-for': '198.51.100.7', 'x-api-key': 'wsk_live_x' },
    redirect: 'manual',
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ success: false, error: expect.stringContaining('HTTPS') });
});

test('an administrator has no administrator rights before a second factor is on', async () => {
  const client = await signIn(stack.url, await person('--admin'), HTTPS);
  const refused = await client.query('admin.accounts', { search: '' });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('two-factor authentication');
  expect((await client.query('account.me')).status).toBe(200);

  const begun = await client.mutate('user.beginSecondFactor');
  const { result } = (await begun.json()) as { result: { data: { secret: string } } };
  const totp = new TOTP({ secret: Secret.fromBase32(result.data.secret) });
  expect((await client.mutate('user.confirmSecondFactor', { code: totp.generate() })).status).toBe(200);
  expect((await client.query('admin.accounts', { search: '' })).status).toBe(200);
  expect((await client.mutate('user.removeSecondFactor')).status).toBe(403);
});

test('the sandbox does not exist', async () => {
  const client = await signIn(stack.url, await person(), HTTPS);
  const me = (await (await client.query('account.me')).json()) as { result: { data: { sandbox: boolean } } };
  expect(me.result.data.sandbox).toBe(false);
});
