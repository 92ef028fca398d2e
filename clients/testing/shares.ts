import { inject } from 'vitest';
import type { BenchNumber } from '../../bench/browserless.ts';

/** How many of the product's numbers each test file uses. */
const SHARES = { contract: 3, mcp: 1, neverTwice: 6, python: 4, collections: 1 };
export type TestFile = keyof typeof SHARES;

export const NUMBERS = Object.values(SHARES).reduce((sum, count) => sum + count);

declare module 'vitest' {
  interface ProvidedContext {
    /** One product for all tests of clients. Each file uses separate numbers. */
    product: {
      baseUrl: string;
      control: string;
      numbers: BenchNumber[];
      /** Where tests may receive webhooks: one port for each language. */
      receiverPorts: { typescript: number; python: number };
    };
  }
}

/** The product's numbers for a test file. */
export function shareOf(file: TestFile): BenchNumber[] {
  const files = Object.keys(SHARES) as TestFile[];
  const before = files.slice(0, files.indexOf(file)).reduce((sum, one) => sum + SHARES[one], 0);
  return inject('product').numbers.slice(before, before + SHARES[file]);
}
