import http from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'playwright/test';
import { signIn, visitor } from '../dashboard-client.ts';
import type { Attacked } from './attacked.ts';

const MEGABYTE = 1024 * 1024;

/** Posts this many spaces: with an announced length, or in chunks. */
async function postBlanks(
  url: string,
  options: { bytes: number; announced: boolean; type: string; headers?: Record<string, string> },
): Promise<{ status: number; body: string }> {
  const { bytes, announced, type, headers = {} } = options;
  const request = http.request(url, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': type, ...(announced ? { 'content-length': bytes } : {}) },
  });
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  const piece = Buffer.alloc(64 * 1024, ' ');
  for (let left = bytes; left > 0; left -= piece.length) request.write(piece.subarray(0, left));
  request.end();
  const answer = await answered;
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}

/** Requests from anybody on the internet, before any sign-in. */
export function edgeIsBounded(attacked: () => Attacked): void {
  test('the sign-in library answers only what the pages use', async () => {
    const { stack, owner } = attacked();
    const anybody = visitor(stack.url);
    for (const path of [
      ...['providers', 'session', 'signin', 'signin/credentials', 'signout', 'error', 'error?error=Signin'],
      ...['verify-request', 'callback/credentials', 'callback/github', '_log', 'csrf/more', 'nothing'],
    ]) {
      const answer = await anybody.get(`/api/auth/${path}`);
      expect([answer.status, answer.headers.get('location')], path).toEqual([404, null]);
    }
    for (const path of [
      '_log',
      'session',
      'signin',
      'signin/credentials',
      'callback/github',
      'csrf',
      'error',
    ]) {
      const answer = await fetch(`${stack.url}/api/auth/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ code: 'x' }),
        redirect: 'manual',
      });
      expect(answer.status, path).toBe(404);
    }
    expect((await signIn(stack.url, owner)).status).toBe(200);
  });

  test('only the product writes to the log, and no text of a stranger is there in full', async () => {
    const { stack, logged } = attacked();
    const marker = 'marker-of-a-stranger';
    const evil = `${marker}\u001b[2J\u009b1m\u202e`;
    const long = `${evil}${'x'.repeat(8 * MEGABYTE)}`;
    await fetch(`${stack.url}/api/auth/_log`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ level: 'error', code: evil, message: long }),
    }).catch(() => {});
    // A stranger's logged text: the path of another site's request, a failed sign-in, an unknown procedure.
    const path = `/api/trpc/${encodeURIComponent(evil)}${'y'.repeat(6_000)}`;
    await visitor(stack.url, { origin: 'https://evil.example' }).get(path);
    await visitor(stack.url).get(path);
    await signIn(stack.url, { email: evil, password: long });
    const all = await logged();
    expect(all).not.toMatch(/x{600}|y{600}/);
    for (const line of all.split('\n').filter((each) => each.includes(marker)))
      expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  test('a body over its route’s limit gets 413, with or without a length, and delays nobody', async () => {
    const { stack, key } = attacked();
    const json = 'application/json';
    const form = 'application/x-www-form-urlencoded';
    const routes: [string, string, number][] = [
      ['/api/trpc/account.signUp', json, 5 * MEGABYTE],
      ['/api/trpc/account.signUp', json, 257 * 1024],
      ['/api/trpc/account.signUp,account.signUp?batch=1', json, 5 * MEGABYTE],
      ['/api/auth/callback/credentials', form, 8 * MEGABYTE],
      ['/api/auth/callback/credentials', form, 17 * 1024],
      ['/api/auth/signout', form, 17 * 1024],
      ['/v1/messages/text', json, 257 * 1024],
    ];
    for (const [path, type, bytes] of routes)
      for (const announced of [true, false]) {
        const name = `${path} ${bytes} ${announced ? 'announced' : 'in chunks'}`;
        const headers: Record<string, string> = path.startsWith('/v1') ? { 'x-api-key': key } : {};
        const { status } = await postBlanks(`${stack.url}${path}`, { bytes, announced, type, headers });
        expect(status, name).toBe(413);
      }
    const chunked = { bytes: 5 * MEGABYTE, announced: false, type: json };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => postBlanks(`${stack.url}/api/trpc/account.signUp`, chunked)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 413));
    expect(
      (await postBlanks(`${stack.url}/sign-in`, { bytes: 5 * MEGABYTE, announced: true, type: form })).status,
    ).toBe(413);
  });

  test('invalid JSON is refused as such, and never causes a server error', async () => {
    const { stack } = attacked();
    const headers = { 'content-type': 'application/json' };
    for (const body of [' '.repeat(1_000), '{', '[}', 'x', '{"a":1}x', '\u0000', '[null', '"'])
      for (const path of ['account.signUp', 'account.signUp,account.signUp?batch=1', 'nothing']) {
        const asked = fetch(`${stack.url}/api/trpc/${path}`, { method: 'POST', headers, body });
        expect((await asked).status, `${path} ${body}`).toBe(400);
      }
    for (const input of ['{', ' ', 'x', '%00', '%'])
      for (const path of ['numbers.get', 'numbers.get,numbers.get'])
        expect(
          (
            await visitor(stack.url).get(
              `/api/trpc/${path}?input=${input}${path.includes(',') ? '&batch=1' : ''}`,
            )
          ).status,
          `${path} ${input}`,
        ).toBeLessThan(500);
    for (const body of ['null', '1', '[]', '{}', '"x"', '{"0":null}', '{"1":{}}', '{"__proto__":{}}'])
      for (const path of ['account.signUp', 'account.signUp,account.signUp?batch=1']) {
        const asked = fetch(`${stack.url}/api/trpc/${path}`, { method: 'POST', headers, body });
        expect((await asked).status, `${path} ${body}`).toBeLessThan(500);
      }
  });

  test('an endless address or password is not checked, and delays nobody', async () => {
    const { stack, owner } = attacked();
    for (const who of [
      { email: `${'a'.repeat(250)}@example.org`, password: owner.password },
      { email: owner.email, password: 'p'.repeat(1_001) },
      { email: owner.email, password: 'p'.repeat(12_000) },
    ])
      expect((await signIn(stack.url, who)).answer).toContain('CredentialsSignin');
    const anybody = visitor(stack.url);
    for (const [path, input] of [
      ['account.signUp', { email: 'a'.repeat(300), password: owner.password, accountName: 'x' }],
      ['account.signUp', { email: 'a@example.org', password: 'p'.repeat(1_001), accountName: 'x' }],
      ['user.resetPassword', { token: 't'.repeat(201), password: owner.password }],
      ['user.openReset', { token: 't'.repeat(201) }],
      ['user.mailResetLink', { email: 'a'.repeat(300) }],
      ['people.open', { token: 't'.repeat(201) }],
    ] as const)
      expect((await anybody.mutate(path, input)).status, path).toBe(400);
  });

  test('a password that leaks have most often is refused', async () => {
    const { stack, owner } = attacked();
    const change = async (password: string) => {
      const input = { current: owner.password, password };
      return (await signIn(stack.url, owner)).mutate('user.changePassword', input);
    };
    const refused = await change('Administrator');
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('easy to guess');
    expect((await change(owner.password)).status).not.toBe(500);
  });

  test('pages are served only under the product’s own names, so no other name can lead to them', async () => {
    const { stack, key } = attacked();
    const { hostname, port } = new URL(stack.url);
    const under = (host: string, path: string, headers: Record<string, string> = {}) =>
      new Promise<number>((resolve, reject) => {
        http
          .get({ hostname, port, path, agent: false, headers: { ...headers, host } }, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          })
          .once('error', reject);
      });
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '10.0.0.9'])
      for (const path of [
        '/sign-in',
        '/setup',
        '/api/trpc/account.me',
        '/api/auth/csrf',
        '/docs',
        '/nowhere',
      ])
        expect(await under(host, path, { 'x-forwarded-host': 'localhost' }), `${host} ${path}`).toBe(421);
    expect(await under('localhost', `http://evil.example:${port}/sign-in`)).toBe(421);
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, '[::1]'])
      expect(await under(host, '/sign-in'), host).toBe(200);
    // Probes use a container's address; the API needs a key, which no visitor's browser has.
    for (const path of ['/healthz', '/readyz']) expect(await under('10.0.0.9:3000', path), path).toBe(200);
    expect(await under('web:3000', '/v1/status')).toBe(401);
    expect(await under('web:3000', '/v1/status', { 'x-api-key': key })).toBe(200);
  });
}
