import { expect, test } from 'playwright/test';
import { allPlaces } from '../../places.ts';
import { signIn, visitor } from '../dashboard-client.ts';
import type { Attacked } from './attacked.ts';

const NOWHERE = ['/nowhere', '/a/b/c', '/numbers/num_none', '/messages/msg_none', '/admin/nowhere', '/api/x'];

/** Throws unless an answer has each header, and each of its scripts has the answer's nonce. */
async function assertGuarded(page: string, answer: Response): Promise<string> {
  const policy = answer.headers.get('content-security-policy') ?? '';
  const nonce = /script-src [^;]*'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? '';
  expect(nonce, page).not.toBe('');
  expect(/script-src ([^;]*)/.exec(policy)?.[1], page).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/);
  for (const part of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
    expect(policy, page).toContain(part);
  expect(answer.headers.get('x-content-type-options'), page).toBe('nosniff');
  expect(answer.headers.get('referrer-policy'), page).toBe('same-origin');
  expect(answer.headers.get('permissions-policy'), page).toContain('camera=()');
  expect(answer.headers.get('x-powered-by'), page).toBe(null);
  // Over plain HTTP the header would have no effect, or lock a user out of their own machine.
  expect(answer.headers.get('strict-transport-security'), page).toBe(null);
  const html = await answer.text();
  for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) expect(tag, page).toContain(`nonce="${nonce}"`);
  expect(html, page).not.toMatch(/<[^>]+\son\w+=/);
  return nonce;
}

/** The headers of every page, for every visitor. */
export function pagesAreGuarded(attacked: () => Attacked): void {
  test.describe('every page, 404 and error included', () => {
    test('has a policy with its own nonce, and no script without it', async () => {
      const { stack, owner, ids } = attacked();
      const client = await signIn(stack.url, owner);
      const nonces = new Set<string>();
      const places = allPlaces().map((place) => place.path(ids));
      expect(places.length).toBeGreaterThan(20);
      // Twice each: a prebuilt or cached page would have the same nonce again, or none.
      const pages = [visitor(stack.url), client].flatMap((who) =>
        [...places, ...NOWHERE, ...places].map((page) => ({ page, who })),
      );
      for (const { page, who } of pages) nonces.add(await assertGuarded(page, await who.get(page)));
      expect(nonces.size).toBe(pages.length);
      // Browsers must not guess the type of a build's file either.
      const files =
        (await (await client.get('/')).text()).match(/\/_next\/static\/[^"?\\]+\.(?:js|css)/g) ?? [];
      expect(files.length).toBeGreaterThan(2);
      for (const file of new Set(files)) {
        const answer = await client.get(file);
        expect([answer.status, answer.headers.get('x-content-type-options')], file).toEqual([200, 'nosniff']);
      }
    });

    test('that fails on the server has it too, and does not reveal why', async () => {
      const { stack, owner, database } = attacked();
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
}
