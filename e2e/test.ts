import { randomBytes } from 'node:crypto';
import { test as base } from 'playwright/test';
import { addNumber, type LinkedNumber, linkNumber } from './linked-number.ts';
import { type Api, apiOf } from './rest/api.ts';
import { type MediaHost, startMediaHost } from './rest/media-host.ts';
import { type Stack, startStack } from './stack.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

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
  /** Another linked number, of the test's own. */
  ownApi: Api;
}

interface Shared {
  /** A customer's file server. */
  media: MediaHost;
  /** A customer's server that receives webhooks. */
  receiver: WebhookReceiver;
  stack: Stack;
  /** A linked number that all tests of a worker send from. */
  api: Api;
}

/**
 * Playwright's `test` with the running product. One product serves all tests of a worker. Fixtures with
 * the scope of a worker belong here: a test file with its own would get a separate worker and product.
 */
export const test = base.extend<Fixtures, Shared>({
  media: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const media = await startMediaHost();
      await use(media);
      await media.close();
    },
    { scope: 'worker' },
  ],
  receiver: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const receiver = await startWebhookReceiver();
      await use(receiver);
      await receiver.close();
    },
    { scope: 'worker' },
  ],
  stack: [
    async ({ media, receiver }, use) => {
      const stack = await startStack({
        env: {
          SANDBOX_SEND_INTERVAL_MS: '0',
          // What the engine does with a message is logged at this level.
          LOG_LEVEL: 'debug',
          MEDIA_ALLOW_HOSTS: media.host,
          WEBHOOK_ALLOW_HOSTS: receiver.host,
          RATE_SENDS_PER_MINUTE: '1000',
        },
      });
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  api: [async ({ stack }, use) => use(await apiOf(stack)), { scope: 'worker', timeout: 120_000 }],
  ownApi: async ({ stack }, use) => use(await apiOf(stack)),
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
