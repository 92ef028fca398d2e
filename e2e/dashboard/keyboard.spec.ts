import type { Page } from 'playwright/test';
import { violations } from '../axe.ts';
import { settled } from '../settled.ts';
import { expect, test } from './test.ts';

const TO = '4915228817386';
/** More than any of these pages has. */
const STOPS_MAX = 100;

/** Presses Tab through the whole page, and gives how many elements got the focus, and which of them others covered. */
async function walk(page: Page): Promise<{ stops: number; covered: string[] }> {
  const covered: string[] = [];
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return null;
      const { left, right, top, bottom } = at.getBoundingClientRect();
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const bar = above?.closest('header, nav, aside');
      return { html: at.outerHTML, covered: !!bar && !bar.contains(at) };
    });
    if (!focused) return { stops, covered };
    if (focused.covered) covered.push(focused.html);
  }
  return { stops: STOPS_MAX, covered };
}

test('on a phone, nothing covers what has the focus', async ({ newCustomer, linkNumber, signIn, stack }) => {
  const customer = await newCustomer();
  const { key } = await linkNumber(customer);
  const sent = await fetch(`${stack.url}/v1/messages/text`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ to: TO, body: 'Your bike is ready.' }),
  });
  const { data } = (await sent.json()) as { data: { id: string } };
  const page = await signIn(customer, { width: 320 });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/account', '/sandbox', `/messages/${data.id}`]) {
    await page.goto(path);
    await settled(page);
    const { stops, covered } = await walk(page);
    expect(stops, path).toBeGreaterThan(3);
    expect(covered, path).toEqual([]);
  }
});

test('pages without data have headings in order', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  for (const path of ['/messages', '/numbers', '/requests', '/sandbox', '/try']) {
    await page.goto(path);
    await expect(page.locator('#content h2').first()).toBeVisible();
    expect(await violations(page, ['heading-order']), path).toEqual([]);
  }
});

test('with forced colours, lines show what is chosen', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/account');
  await settled(page);
  const outline = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(await outline('[role=radiogroup] :checked + span')).toBe('solid');
  expect(await outline('[role=radiogroup] :not(:checked) + span')).toBe('none');
  expect(await outline('main nav [aria-current]')).toBe('solid');
});

test('a search field shows that it has the focus', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  await page.goto('/requests');
  await settled(page);
  const box = page.locator('span:has(> input[aria-label="X-Request-Id or recipient"])');
  const shadow = () => box.evaluate((element) => getComputedStyle(element).boxShadow);
  const before = await shadow();
  await box.locator('input').focus();
  await expect.poll(shadow).not.toBe(before);
});
