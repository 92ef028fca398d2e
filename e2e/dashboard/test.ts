import type { BrowserContext, Page } from 'playwright/test';
import { buttonsWithoutReact } from '../settled.ts';
import { test as base, type Customer } from '../test.ts';

export { expect } from '../test.ts';

interface Fixtures {
  /** Opens the dashboard as a signed-in user, in a separate browser; errors in its pages fail the test. */
  signIn(
    customer: Pick<Customer, 'email' | 'password'>,
    options?: { width?: number; touch?: boolean; timezoneId?: string },
  ): Promise<Page>;
  /** The same as a new customer with a linked number. */
  signInLinked(options?: { width?: number }): Promise<Page>;
  /** A separate browser where nobody is signed in. */
  newVisitor(options?: {
    width?: number;
    dark?: boolean;
    touch?: boolean;
    timezoneId?: string;
  }): Promise<Page>;
}

export const test = base.extend<Fixtures>({
  newVisitor: async ({ browser, stack }, use) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];
    await use(async ({ width = 1440, dark = false, touch = false, timezoneId } = {}) => {
      const context = await browser.newContext({
        baseURL: stack.url,
        viewport: { width, height: 900 },
        ...(timezoneId && { timezoneId }),
        ...(touch && { hasTouch: true, isMobile: true }),
        colorScheme: dark ? 'dark' : 'light',
      });
      contexts.push(context);
      const page = await context.newPage();
      for (const load of ['goto', 'reload'] as const) waitForHydration(page, load);
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
      page.on('console', (message) => {
        // The browser also logs refused answers, which a test causes on purpose.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(`${page.url()}: ${message.text()}`);
      });
      return page;
    });
    for (const context of contexts) await context.close();
    base.expect(complaints).toEqual([]);
  },
  signIn: async ({ newVisitor }, use) => {
    await use(async ({ email, password }, options) => {
      const page = await newVisitor(options);
      // Signs in with the form’s request: loading the form for each test would take longer than many tests.
      const { request } = page.context();
      const { csrfToken } = await (await request.get('/api/auth/csrf')).json();
      const form = { email, password, csrfToken, callbackUrl: '/', json: 'true' };
      const answer = await request.post('/api/auth/callback/credentials', { form });
      if (!answer.ok()) throw new Error(`signing in as ${email} was refused: ${await answer.text()}`);
      await page.goto('/');
      return page;
    });
  },
  signInLinked: async ({ newCustomer, linkNumber, signIn }, use) => {
    await use(async (options) => {
      const customer = await newCustomer();
      await linkNumber(customer);
      return signIn(customer, options);
    });
  },
});

/** Has `page.goto` or `page.reload` return once React has taken over every button: earlier clicks do nothing. */
function waitForHydration(page: Page, load: 'goto' | 'reload'): void {
  const original = page[load].bind(page) as (...given: unknown[]) => ReturnType<Page['reload']>;
  page[load] = async (...given: unknown[]) => {
    const response = await original(...given);
    const missed = () => buttonsWithoutReact(page).catch((error: Error) => [error.message]); // it leads elsewhere
    await base.expect.poll(missed, 'buttons that React has not taken over').toEqual([]);
    return response;
  };
}
