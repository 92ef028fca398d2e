import type { Stack } from '../e2e/stack.ts';

export const BENCH_EMAIL = 'bench@example.com';
export const BENCH_PASSWORD = 'a kingfisher dives at dusk';

/** A connected sandbox number of a new account, with a key. */
export async function linkNumber(stack: Stack): Promise<{ instance: string; key: string }> {
  const email = ['--email', BENCH_EMAIL];
  await stack.cli('account', 'create', ...email, '--password', BENCH_PASSWORD);
  await stack.cli('account', 'activate', ...email, '--numbers', '2', '--until', '2099-12-31');
  const { instance } = await stack.cli<{ instance: string }>(
    'number',
    'add',
    ...email,
    '--network',
    'sandbox',
  );
  await stack.cli('number', 'link', '--instance', instance);
  const { key } = await stack.cli<{ key: string }>('key', 'create', '--instance', instance);
  return { instance, key };
}
