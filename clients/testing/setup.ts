import type { TestProject } from 'vitest/node';
import type { BenchNumber } from '../../bench/browserless.ts';
import { startProduct } from './product.ts';

const NUMBERS = 10;

declare module 'vitest' {
  interface ProvidedContext {
    /** One product for all tests of clients. Each file uses numbers of its own. */
    product: { baseUrl: string; control: string; numbers: BenchNumber[] };
  }
}

/** Where tests receive webhooks. */
export const RECEIVER_PORT = 18_417;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const product = await startProduct({ numbers: NUMBERS, webhookHosts: `127.0.0.1:${RECEIVER_PORT}` });
  const { baseUrl, control, numbers } = product;
  project.provide('product', { baseUrl, control, numbers });
  return () => product.stop();
}
