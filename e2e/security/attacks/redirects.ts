import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'playwright/test';
import type { Attacked } from './attacked.ts';

/** Addresses that parsers other than a browser's read as foreign; `HOST` answers in the browser. */
const FORMS = [
  '//HOST',
  '///HOST',
  '/\\HOST',
  '\\\\HOST',
  '/\tHOST',
  '/\t/HOST',
  '/\n/HOST',
  '/\r\n/HOST',
  '\t//HOST',
  ' //HOST',
  '/.//HOST',
  '/x/..//HOST',
  '/%2e//HOST',
  '/./\\HOST',
  '%2F%2FHOST',
  '/%2FHOST',
  '/%5CHOST',
  '/%09/HOST',
  '/%0a/HOST',
  '%252F%252FHOST',
  '/%252FHOST',
  '/%2509/HOST',
  'http://HOST',
  'http:HOST',
  'https://HOST@HOST',
  '//user@HOST',
  '/\u0000/HOST',
  '/\u2028/HOST',
  'javascript:location="//HOST"',
  'data:text/html,HOST',
];

/** No address of ours redirects to another site. */
export function nobodyIsLedAway(attacked: () => Attacked): void {
  test('after signing in, a browser stays on this site, wherever the address asked to continue', async ({
    browser,
  }) => {
    const { stack, owner } = attacked();
    const context = await browser.newContext({ baseURL: stack.url });
    const page = await context.newPage();
    const away: string[] = [];
    // Only this site answers; every other request is recorded.
    await context.route(
      (url) => url.origin !== stack.url,
      (route) => {
        away.push(route.request().url());
        return route.abort();
      },
    );
    const addressOf = (form: string, encode: (text: string) => string) =>
      `/sign-in?next=${encode(form.replaceAll('HOST', 'evil.example/x'))}`;
    const once = FORMS.map((form) => addressOf(form, encodeURIComponent));
    const twice = FORMS.map((form) =>
      addressOf(form, (text) => encodeURIComponent(encodeURIComponent(text))),
    );

    // The form continues by script and would count as an attempt, so the test answers it.
    await page.goto('/sign-in');
    await page.route('**/api/auth/csrf', (route) => route.fulfill({ json: { csrfToken: 'x' } }));
    await page.route('**/api/auth/callback/credentials', (route) =>
      route.fulfill({ json: { url: stack.url } }),
    );
    for (const address of [...once, '/sign-in?next=%2F%09%2Fevil.example']) {
      await page.goto(address);
      await page.getByLabel('Email').fill('a@example.org');
      await page.getByLabel('Password').fill('x');
      const left = page.waitForRequest((request) => request.isNavigationRequest());
      await page.getByRole('button', { name: 'Sign in' }).click();
      expect(new URL((await left).url()).origin, address).toBe(stack.url);
    }

    // The server redirects a signed-in user.
    await page.unrouteAll();
    await page.goto('/sign-in?next=%2Fmessages%3Fstatus%3Dfailed');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${stack.url}/messages?status=failed`);
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const address of [...once, ...twice]) {
      const answer = await fetch(`${stack.url}${address}`, { headers: { cookie }, redirect: 'manual' });
      const location = answer.headers.get('location') ?? '/';
      expect(new URL(location, `${stack.url}${address}`).origin, address).toBe(stack.url);
    }
    await page.goto('/sign-in?next=%2F%09%2Fevil.example');
    expect(new URL(page.url()).origin).toBe(stack.url);
    expect(away).toEqual([]);
    await context.close();
  });

  test('no path and no parameter is answered with an address of another site', async () => {
    const { stack } = attacked();
    const { hostname, port } = new URL(stack.url);
    const ask = (target: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`),
        );
        text(socket).then(resolve, reject);
        socket.once('error', reject);
      });
    for (const target of [
      ...['//evil.example', '//evil.example/', '///evil.example', '/\\evil.example', '/\\evil.example/'],
      ...[
        '//evil.example/%2e%2e',
        '/%2f/evil.example/',
        '/%5cevil.example/',
        '/.//evil.example',
        '/x/..//evil.example/',
      ],
      ...['next', 'callbackUrl', 'redirect', 'url', 'return', 'returnTo', 'continue'].flatMap((name) => [
        `/?${name}=//evil.example`,
        `/setup?${name}=//evil.example`,
        `/account?${name}=//evil.example`,
        `/api/auth/csrf?${name}=https://evil.example`,
      ]),
    ]) {
      const answer = await ask(target);
      const location = /^location: (.*)$/im.exec(answer)?.[1]?.trim() ?? '/';
      expect(new URL(location, stack.url).origin, target).toBe(stack.url);
      expect(answer.split('\r\n\r\n', 1)[0], target).not.toContain('evil.example/;');
      expect(/^set-cookie:.*evil/im.test(answer), target).toBe(false);
    }
  });
}
