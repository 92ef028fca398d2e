import { newNumber } from '../e2e/new-number.ts';
import type { Stack } from '../e2e/stack.ts';

export const BENCH_EMAIL = 'bench@example.com';
export const BENCH_PASSWORD = 'a kingfisher dives at dusk';

/** A connected sandbox number of a new account, with a key. */
export async function linkNumber(stack: Stack): Promise<{ instance: string; key: string }> {
  const instance = await newNumber(stack, { email: BENCH_EMAIL, password: BENCH_PASSWORD, numbers: 2 });
  await stack.cli('number', 'link', '--instance', instance);
  const { key } = await stack.cli<{ key: string }>('key', 'create', '--instance', instance);
  return { instance, key };
}
