import type { Stack } from './stack.ts';

/** A customer with an email address, a plan for `numbers` numbers, and one sandbox number without a phone. */
export async function newNumber(
  stack: Stack,
  { email, password, numbers }: { email: string; password: string; numbers: number },
): Promise<string> {
  const owner = ['--email', email];
  await stack.cli('account', 'create', ...owner, '--password', password);
  await stack.cli('account', 'activate', ...owner, '--numbers', String(numbers), '--until', '2099-12-31');
  const added = await stack.cli<{ instance: string }>('number', 'add', ...owner, '--network', 'sandbox');
  return added.instance;
}
