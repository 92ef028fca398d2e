import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'playwright/test';
import { openDatabase } from '#server/db/client.ts';
import { dumpAsText } from '#server/db/testing-dump.ts';
import { ensurePostgres } from '#server/embedded/postgres.ts';
import { allPlaces } from '../places.ts';
import { type Stack, startStack } from '../stack.ts';
import { signIn, visitor } from './dashboard-client.ts';
import { plantRows, plantTexts } from './planted-texts.ts';

/** Tried against the whole product, with everything logged that it can log. */
const PASSWORD = 'a kingfisher dives at dusk';
const CANARY = 'canary7f3q';
const CANARY_NUMBER = '4915777000111';
const SCRIPT = `"'><img src=x onerror="window.__xss=1"><script>window.__xss=1</script>`;

/** Where texts are stored that some page shows. */
const SHOWN = [
  ...['accounts.name', 'alerts.detail', 'api_keys.name', 'audit_actors.address', 'invitations.note'],
  ...[
    'message_events.detail',
    'messages.error',
    'number_events.reason',
    'number_groups.error',
    'numbers.label',
  ],
  ...['numbers.status_reason', 'payments.note', 'payments.reference', 'processes.host', 'processes.version'],
  ...['sign_ins.address', 'users.email', 'audit_log.action', 'audit_log.target', 'audit_log.detail'],
  'number_groups.groups',
];
/** What a row was made with, because it cannot be changed or is no text. */
const UNPLANTED = new Set([
  'audit_log.action',
  'audit_log.target',
  'audit_log.detail',
  'number_groups.groups',
]);

let directory: string;
let cluster: Awaited<ReturnType<typeof ensurePostgres>>;
let database: ReturnType<typeof openDatabase>;
let stack: Stack;
let owner: { email: string; password: string };
let instance: string;
/** What the addresses of pages name. */
let ids: { numberId: string; messageId: string; accountId: string };
let key: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-attacks-'));
  cluster = await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
  database = openDatabase(cluster.url, 2);
  stack = await startStack({
    env: { DATABASE_URL: cluster.url, LOG_LEVEL: 'trace', SANDBOX_SEND_INTERVAL_MS: '0' },
  });
  owner = await person('--admin');
  await stack.cli('account', 'activate', '--email', owner.email, '--numbers', '3', '--until', '2099-12-31');
  ({ instance } = await stack.cli<{ instance: string }>(
    ...['number', 'add', '--email', owner.email, '--network', 'sandbox'],
  ));
  await stack.cli('number', 'link', '--instance', instance);
  ({ key } = await stack.cli<{ key: string }>('key', 'create', '--instance', instance, '--name', SCRIPT));
  const sent = await post('text', { to: '491700000041', body: 'Hello' });
  const [row] = await database.sql<
    { id: string }[]
  >`select account_id as id from numbers where id = ${instance}`;
  ids = {
    numberId: instance,
    messageId: sent.headers.get('x-message-id') ?? '',
    accountId: row?.id ?? '',
  };
});
test.afterAll(async () => {
  await stack?.stop();
  await database?.close();
  await cluster?.release();
  await rm(directory, { recursive: true, force: true });
});

async function person(...more: string[]): Promise<{ email: string; password: string }> {
  const email = `person-${Math.random().toString(36).slice(2)}@example.org`;
  await stack.cli('account', 'create', '--email', email, '--password', PASSWORD, ...more);
  return { email, password: PASSWORD };
}

function post(kind: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${stack.url}/v1/messages/${kind}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Sends these bytes as they are; all that comes back until the server closes. */
function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(stack.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    text(socket).then(resolve, reject);
    socket.once('error', reject);
  });
}

async function logged(): Promise<string> {
  const logs = path.join(stack.dataDir, 'logs');
  const files = await Promise.all(
    (await readdir(logs)).map((name) => readFile(path.join(logs, name), 'utf8')),
  );
  return [...files, stack.output()].join('\n');
}

test.describe('every page, 404 and error included', () => {
  const NOWHERE = [
    '/nowhere',
    '/a/b/c',
    '/numbers/num_none',
    '/messages/msg_none',
    '/admin/nowhere',
    '/api/x',
  ];

  /** Throws unless an answer carries each header, and each of its scripts the nonce of this answer. */
  async function assertGuarded(page: string, answer: Response): Promise<string> {
    const policy = answer.headers.get('content-security-policy') ?? '';
    const nonce = /script-src [^;]*'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? '';
    expect(nonce, page).not.toBe('');
    expect(/script-src ([^;]*)/.exec(policy)?.[1], page).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/);
    for (const part of [
      "default-src 'self'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
    ])
      expect(policy, page).toContain(part);
    expect(answer.headers.get('x-content-type-options'), page).toBe('nosniff');
    expect(answer.headers.get('referrer-policy'), page).toBe('same-origin');
    expect(answer.headers.get('permissions-policy'), page).toContain('camera=()');
    expect(answer.headers.get('x-powered-by'), page).toBe(null);
    // Over plain HTTP the header would mean nothing, or lock somebody out of their own machine.
    expect(answer.headers.get('strict-transport-security'), page).toBe(null);
    const html = await answer.text();
    for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) expect(tag, page).toContain(`nonce="${nonce}"`);
    expect(html, page).not.toMatch(/<[^>]+\son\w+=/);
    return nonce;
  }

  test('has a policy with a nonce of its own, and no script without it', async () => {
    const client = await signIn(stack.url, owner);
    const nonces = new Set<string>();
    const places = allPlaces().map((place) => place.path(ids));
    expect(places.length).toBeGreaterThan(20);
    // Twice each: what a build had made beforehand, or a cache kept, would carry the same nonce again, or none.
    const pages = [visitor(stack.url), client].flatMap((who) =>
      [...places, ...NOWHERE, ...places].map((page) => ({ page, who })),
    );
    for (const { page, who } of pages) nonces.add(await assertGuarded(page, await who.get(page)));
    expect(nonces.size).toBe(pages.length);
  });

  test('that fails on the server has it too, and says nothing of why', async () => {
    const client = await signIn(stack.url, owner);
    await database.sql.unsafe('alter table subscriptions rename to secret_subscriptions');
    try {
      const answer = await client.get('/');
      const copy = answer.clone();
      await assertGuarded('/', answer);
      expect(await copy.text()).not.toMatch(/secret_subscriptions|relation|at .*\.ts:\d/);
    } finally {
      await database.sql.unsafe('alter table secret_subscriptions rename to subscriptions');
    }
  });
});

test('no header makes a visitor somebody, a path another, or a method what it is not', async () => {
  const tricks: Record<string, string>[] = [
    { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
    { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
    { 'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware' },
    { 'x-original-url': '/admin/accounts', 'x-rewrite-url': '/admin/accounts' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    { 'x-invoke-path': '/admin/accounts', 'x-invoke-status': '200', 'x-matched-path': '/admin/accounts' },
  ];
  for (const headers of tricks) {
    const name = JSON.stringify(headers);
    const page = await visitor(stack.url, headers).get('/account');
    expect(page.status, name).toBe(307);
    expect(page.headers.get('location'), name).toMatch(/^(http:\/\/127\.0\.0\.1:\d+)?\/sign-in/);
    expect(page.headers.get('content-security-policy'), name).toContain('nonce-');
    expect((await visitor(stack.url, headers).query('admin.accounts', { search: '' })).status, name).toBe(
      401,
    );
    expect((await fetch(`${stack.url}/v1/status`, { headers })).status, name).toBe(401);
  }
  for (const override of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
    const answer = await fetch(`${stack.url}/v1/status`, {
      method: 'POST',
      headers: { 'x-api-key': key, [override]: 'GET' },
    });
    expect(answer.status, override).toBe(404);
  }
  // Headers that are there twice: two keys are no key, two lengths no request.
  const head = 'GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  expect(await raw(`${head}x-api-key: ${key}\r\nx-api-key: wsk_test_other\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 401/,
  );
  expect(await raw(`${head}x-api-key: ${key}\r\nx-api-key: ${key}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200/);
  const smuggled = 'POST /v1/messages/text HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n';
  expect(await raw(`${smuggled}Content-Length: 5\r\n\r\nabcde`)).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(`${smuggled}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/);
  for (const target of ['//v1/status', '/V1/status', '/v1/%2e%2e/status', '/v1/..%2fstatus', '/v1/%zz'])
    expect(await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), target).not.toMatch(
      /^HTTP\/1.1 (2|5)/,
    );
});

test('what people write is shown as they wrote it, and never runs', async ({ browser }) => {
  const client = await signIn(stack.url, owner);
  expect(
    (await client.mutate('numbers.setLabel', { numberId: instance, label: SCRIPT.slice(0, 60) })).status,
  ).toBeLessThan(500);
  const to = '491700000042';
  const samples = await stack.cli<Record<string, string>>('sandbox', 'samples');
  const sent = [
    await post('text', { to, body: SCRIPT }),
    await post('contact', { to, contactName: SCRIPT, contactPhone: '491700000043' }),
    await post('location', { to, latitude: 1, longitude: 1, name: SCRIPT, address: SCRIPT }),
    await post('document', {
      to,
      url: samples.document ?? samples.offer,
      filename: `${SCRIPT}.html`,
      caption: SCRIPT,
    }),
    await post('image', { to, url: samples.image ?? samples.photo, caption: SCRIPT }),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const messageId = sent[3]?.headers.get('x-message-id') ?? '';
  expect(
    (await client.mutate('sandbox.receive', { numberId: instance, from: '491700000044', body: SCRIPT }))
      .status,
  ).toBe(200);

  const context = await browser.newContext({ baseURL: stack.url });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${stack.url}/`);
  // Where the text is there to be seen, it is not that nothing was shown.
  const where = [
    { at: '/', shows: false },
    { at: '/numbers', shows: true },
    { at: `/numbers/${instance}`, shows: true },
    { at: '/keys', shows: true },
    { at: '/messages', shows: true },
    { at: `/messages/${messageId}`, shows: true },
    { at: `/sandbox/${instance}`, shows: true },
    { at: '/admin/audit', shows: false },
  ];
  for (const { at, shows } of where) {
    await page.goto(at);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    if (shows) await expect(page.getByText('onerror=').first()).toBeVisible();
    expect(await page.evaluate(() => (window as { __xss?: number }).__xss), at).toBe(undefined);
    expect(await page.locator('img[onerror], [onload], script:not([nonce]):not([src])').count(), at).toBe(0);
  }
  expect(complaints).toEqual([]);
  await page.goto('/account/settings');
  await expect(page.getByRole('heading', { name: 'What is kept, and for how long' })).toBeVisible();
  await context.close();
});

test('a planted key, text and number are in no log, error, URL or job, and the key is in no table', async () => {
  const planted = [key, (await stack.cli<{ key: string }>('key', 'create', '--instance', instance)).key];
  const wrong = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
  const said: string[] = [];
  const keep = async (answer: Response) => {
    for (const [name, value] of answer.headers) said.push(`${name}: ${value}`);
    said.push(await answer.text());
    return answer.status;
  };
  const fields = {
    text: { body: CANARY },
    image: { url: `http://${CANARY}.invalid/${CANARY}.jpg?${CANARY_NUMBER}`, caption: CANARY },
    document: { url: `http://127.0.0.1:9/${CANARY}`, filename: `${CANARY}.pdf`, caption: CANARY },
    audio: { url: `ftp://${CANARY}/x` },
    location: { latitude: 999, longitude: CANARY, name: CANARY, address: CANARY },
    contact: { contactName: CANARY, contactPhone: CANARY_NUMBER },
  };
  for (const secret of planted) {
    for (const [kind, more] of Object.entries(fields)) {
      const body = { to: CANARY_NUMBER, ...more };
      await keep(
        await post(kind, body, {
          'x-api-key': secret,
          prefer: 'respond-async',
          'idempotency-key': `${CANARY}${kind}`,
        }),
      );
      await keep(await post(kind, { ...body, to: `+${CANARY_NUMBER}` }, { 'x-api-key': secret }));
      await keep(await post(kind, { ...body, token: secret, to: [CANARY] }, { 'x-api-key': wrong }));
      await keep(await post(kind, `{"to":"${CANARY_NUMBER}","token":"${secret}"`, { 'x-api-key': secret }));
    }
    await keep(await post('text', { to: CANARY_NUMBER, body: CANARY }, { 'x-api-key': secret }));
    await keep(
      await post('text', { to: `${CANARY_NUMBER}@g.us`, body: CANARY.repeat(2000) }, { 'x-api-key': secret }),
    );
    await keep(await fetch(`${stack.url}/v1/${CANARY}?x-api-key=${secret}&token=${secret}`));
    await keep(
      await fetch(`${stack.url}/v1/messages/${CANARY}`, { headers: { authorization: `Bearer ${secret}` } }),
    );
    await keep(await fetch(`${stack.url}/v1/status`, { headers: { authorization: `Bearer ${secret}x` } }));
  }
  // A message that WhatsApp refuses, and a database that fails in the middle of a request.
  await database.sql.unsafe('alter table message_events rename to message_events_away');
  const broken = await keep(await post('text', { to: CANARY_NUMBER, body: `${CANARY} broken` })).catch(
    () => 0,
  );
  await database.sql.unsafe('alter table message_events_away rename to message_events');
  expect(broken).toBe(500);
  const client = await signIn(stack.url, owner);
  await signIn(stack.url, { email: `${CANARY}@example.org`, password: `${CANARY} ${PASSWORD}` });
  for (const [name, input] of Object.entries({
    'numbers.setLabel': { numberId: CANARY, label: CANARY },
    'sandbox.receive': { numberId: instance, from: CANARY_NUMBER, body: CANARY },
    'user.confirmPassword': { password: CANARY },
    'user.resetPassword': { token: CANARY, password: `${CANARY} a new one` },
    'numbers.openLinking': { numberId: instance, pairingPhone: CANARY_NUMBER },
    'keys.create': { numberId: CANARY, name: CANARY, expiresAt: CANARY },
  }))
    await keep(await client.mutate(name, input));
  await keep(await client.query('messages.list', { search: CANARY }));

  const logs = await logged();
  expect(logs).toContain('"level":"debug"');
  const jobs = await database.sql<{ row: string }[]>`select j::text as row from pgboss.job j`;
  const waste = [logs, jobs.map(({ row }) => row).join('\n')];
  for (const trace of [CANARY, CANARY_NUMBER, ...planted, wrong, PASSWORD])
    for (const text of waste) expect(text.split('\n').filter((line) => line.includes(trace))).toEqual([]);
  const dump = await dumpAsText(database);
  expect(dump).toContain(CANARY);
  // Not even the secret's part of a key is anywhere, nor in what callers were told.
  for (const secret of planted) {
    for (const text of [dump, said.join('\n')]) expect(text.includes(secret)).toBe(false);
    expect(dump.includes(secret.slice(-30))).toBe(false);
  }
});

test('whatever text any table holds is shown as it is, and never runs', async ({ browser }) => {
  test.setTimeout(240_000);
  const context = await browser.newContext({ baseURL: stack.url });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${stack.url}/`);
  const textOf = (column: string) => `«${column}»${SCRIPT}`;
  const { instance: blocked } = await stack.cli<{ instance: string }>(
    ...['number', 'add', '--email', owner.email, '--network', 'sandbox'],
  );
  await database.sql`update numbers set status = 'BLOCKED' where id = ${blocked}`;
  await plantRows(database, { ...ids, text: textOf });
  const planted = await plantTexts(database, textOf);

  const seen = new Set<string>();
  const ran: string[] = [];
  const look = async (at: string) => {
    const shown = await page.evaluate(() => ({
      text: [document.body, ...document.querySelectorAll('[title],[aria-label]')].map((element) =>
        element === document.body
          ? document.body.innerText
          : `${element.getAttribute('title')} ${element.getAttribute('aria-label')}`,
      ),
      ran: (window as { __xss?: number }).__xss !== undefined,
      made: document.querySelectorAll('img[onerror], [onload], script:not([nonce]):not([src])').length,
    }));
    for (const [, column] of shown.text.join('\n').matchAll(/«([\w.]+)»/g)) seen.add(column ?? '');
    if (shown.ran || shown.made > 0) ran.push(at);
  };
  const places = allPlaces().filter(({ group }) => group !== 'auth');
  for (const at of [...places.map((place) => place.path(ids)), `/numbers/${blocked}`]) {
    await page.goto(at);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await look(at);
  }
  await page.goto('/');
  await page.getByRole('button', { name: /alert/i }).first().click();
  await expect(page.getByRole('dialog')).toContainText('«');
  await look('the alerts');
  await context.close();
  expect(ran).toEqual([]);
  // It was there to be seen: what is stored, where somebody looks for it.
  for (const column of SHOWN) expect(planted.includes(column) || UNPLANTED.has(column), column).toBe(true);
  expect([...SHOWN].filter((column) => !seen.has(column))).toEqual([]);
});
