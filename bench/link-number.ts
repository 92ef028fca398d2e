import { newNumber } from '../e2e/new-number.ts';
import type { Stack } from '../e2e/stack.ts';

export const BENCH_EMAIL = 'bench@example.com';
export const BENCH_PASSWORD = 'a kingfisher dives at dusk';
export const BENCH_TO = '491700000001';

/** A connected sandbox number of a new account, with a key. */
export async function linkNumber(stack: Stack): Promise<{ instance: string; key: string }> {
  const instance = await newNumber(stack, { email: BENCH_EMAIL, password: BENCH_PASSWORD, numbers: 2 });
  await stack.cli('number', 'link', '--instance', instance);
  const { key } = await stack.cli<{ key: string }>('key', 'create', '--instance', instance);
  return { instance, key };
}

/** Posts a text and waits for its 200. */
export async function postText(stack: Stack, key: string, body: string, to = BENCH_TO): Promise<void> {
  const answer = await fetch(`${stack.url}/v1/messages/text`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ to, body }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`POST answered ${answer.status}: ${text}`);
}
