import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright/test';
import { FIRST_LOAD_BYTES_MAX, firstLoadBytes } from '../first-load.ts';
import { allPlaces } from '../places.ts';
import { expect, test } from './test.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDTHS = [360, 768, 1440] as const;
/** Swagger UI brings its own code and its own markup. */
const NOT_OURS = '.swagger-ui';
/** The themes differ only in colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

test('every page stays within its load limit, fits every screen and is accessible in both themes', async ({
  newCustomer,
  linkNumber,
  signIn,
  newVisitor,
  stack,
}) => {
  test.setTimeout(600_000);
  const customer = await newCustomer({ admin: true });
  const { instance, key } = await linkNumber(customer);
  const sent = await fetch(`${stack.url}/v1/messages/text`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '4915228817386', body: 'x'.repeat(3000) }),
  });
  const { data } = (await sent.json()) as { data: { id: string } };
  const ids = { numberId: instance, messageId: data.id, accountId: customer.account };
  const inside = await signIn(customer);
  const outside = await newVisitor();
  for (const place of [...allPlaces().map((one) => ({ ...one, at: one.path(ids) })), NOWHERE]) {
    const page = place.group === 'auth' ? outside : inside;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    const bytes = await firstLoadBytes(page, place.at);
    if (place.route !== '/docs')
      expect.soft(bytes, `${place.route} makes a browser fetch too much`).toBeLessThan(FIRST_LOAD_BYTES_MAX);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    await page.evaluate(AXE);
    expect.soft(await violations(page), `${place.route} in light`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect.soft(await violations(page, COLOUR_RULES), `${place.route} in dark`).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(wide, `${place.route} at ${width}`).toBe(width);
    }
  }
});

const NOWHERE = { route: 'an address that leads nowhere', group: 'dashboard', at: '/nowhere' } as const;

/** What axe finds, each as one line. */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const asked = { notOurs: NOT_OURS, rules };
  return page.evaluate(async ({ notOurs, rules }) => {
    // During a change of theme, colours belong to neither theme.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const under = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(under.map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const found = await axe.run(
      { exclude: [notOurs] },
      { resultTypes: ['violations'], ...(rules && { runOnly: rules }) },
    );
    return found.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help} (${target.join(' ')}) ${any[0]?.message ?? ''}`),
    );
  }, asked);
}
