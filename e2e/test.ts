import { randomBytes } from 'node:crypto';
import { test as base } from 'playwright/test';
import { addNumber, type LinkedNumber, linkNumber } from './linked-number.ts';
import { type Stack, startStack } from './stack.ts';

export { expect } from 'playwright/test';

export interface Customer {
  email: string;
  password: string;
  account: string;
}

interface Fixtures {
  /** Makes an account with a plan, by the operator's CLI. */
  newCustomer(options?: { numbers?: number; admin?: boolean; plan?: boolean }): Promise<Customer>;
  /** Adds a sandbox number that no phone is linked to, and gives its id. */
  addNumber(customer: Pick<Customer, 'email'>, label?: string): Promise<string>;
  /** Adds a sandbox number, links it and creates a key for it. */
  linkNumber(customer: Customer): Promise<LinkedNumber>;
}

/** Playwright's `test` with the running product. One product serves all tests of a worker. */
export const test = base.extend<Fixtures, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const stack = await startStack({ env: { SANDBOX_SEND_INTERVAL_MS: '0' } });
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  newCustomer: async ({ stack }, use) => {
    await use(async ({ numbers = 3, admin = false, plan = true } = {}) => {
      const email = `${randomBytes(6).toString('hex')}@example.com`;
      const password = 'a kingfisher dives at dusk';
      const { account } = await stack.cli<{ account: string }>(
        'account',
        'create',
        '--email',
        email,
        '--password',
        password,
        ...(admin ? ['--admin'] : []),
      );
      if (plan)
        await stack.cli(
          'account',
          'activate',
          '--email',
          email,
          '--numbers',
          String(numbers),
          '--until',
          '2099-12-31',
        );
      return { email, password, account };
    });
  },
  addNumber: async ({ stack }, use) => {
    await use(({ email }, label) => addNumber(stack, email, label));
  },
  linkNumber: async ({ stack }, use) => {
    await use(({ email }) => linkNumber(stack, email));
  },
});
