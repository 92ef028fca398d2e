import { violations } from '../axe.ts';
import { faintEdges } from '../edges.ts';
import { DOCS_BYTES_MAX, FIRST_LOAD_BYTES_MAX, firstLoadBytes } from '../first-load.ts';
import { inspectEvents } from '../linked-number.ts';
import { allPlaces } from '../places.ts';
import { expect, test } from './test.ts';

const NARROW = 360;
const WIDTHS = [NARROW, 768, 1440] as const;
/** A narrow screen shows other buttons and rows. */
const NAME_RULES = ['button-name', 'link-name', 'label', 'aria-input-field-name', 'heading-order'];
/** The themes differ only in colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

test('every page stays within its load limit, fits every screen and is accessible in both themes', async ({
  newCustomer,
  linkNumber,
  signIn,
  newVisitor,
  stack,
}) => {
  test.setTimeout(1_200_000);
  const customer = await newCustomer({ admin: true });
  const { instance, key } = await linkNumber(customer);
  const endpointId = await inspectEvents(stack.url, key);
  const sent = await fetch(`${stack.url}/v1/messages/text`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '4915228817386', body: 'x'.repeat(3000) }),
  });
  const { data } = (await sent.json()) as { data: { id: string } };
  const ids = {
    ...{ numberId: instance, messageId: data.id, accountId: customer.account, endpointId },
    guide: 'webhooks',
  };
  // In another zone than the server's: a page that renders a time there would not match in the browser.
  const elsewhere = { timezoneId: 'Asia/Kathmandu' };
  const inside = await signIn(customer, elsewhere);
  const outside = await newVisitor(elsewhere);
  for (const place of [...allPlaces().map((one) => ({ ...one, at: one.path(ids) })), NOWHERE]) {
    const page = place.group === 'auth' ? outside : inside;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    const bytes = await firstLoadBytes(page, place.at);
    const most = place.route.startsWith('/docs') ? DOCS_BYTES_MAX : FIRST_LOAD_BYTES_MAX;
    expect.soft(bytes, `${place.route} makes a browser fetch too much`).toBeLessThan(most);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    expect.soft(await violations(page), `${place.route} in light`).toEqual([]);
    expect.soft(await faintEdges(page), `${place.route} in light`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect.soft(await violations(page, COLOUR_RULES), `${place.route} in dark`).toEqual([]);
    expect.soft(await faintEdges(page), `${place.route} in dark`).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(wide, `${place.route} at ${width}`).toBe(width);
      if (width === NARROW)
        expect.soft(await violations(page, NAME_RULES), `${place.route} at ${width}`).toEqual([]);
    }
  }
});

const NOWHERE = { route: 'an address that leads nowhere', group: 'dashboard', at: '/nowhere' } as const;
