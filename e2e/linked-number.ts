import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import type { Stack } from './stack.ts';

/** A linked sandbox number with a key, as a customer has it. */
export interface LinkedNumber {
  instance: string;
  phoneNumber: string;
  key: string;
}

/** Adds a sandbox number without a linked phone, and returns its id. */
export async function addNumber({ cli }: Stack, email: string, label = ''): Promise<string> {
  const { instance } = await cli<{ instance: string }>(
    ...['number', 'add', '--email', email, '--network', 'sandbox'],
    ...(label === '' ? [] : ['--label', label]),
  );
  return instance;
}

/** Adds a sandbox number, links it and creates a key for it. */
export async function linkNumber(stack: Stack, email: string): Promise<LinkedNumber> {
  const instance = await addNumber(stack, email);
  const of = ['--instance', instance];
  const { phoneNumber } = await stack.cli<{ phoneNumber: string }>('number', 'link', ...of);
  const { key } = await stack.cli<{ key: string }>('key', 'create', ...of);
  return { instance, phoneNumber, key };
}

/** Makes an endpoint that shows the number's events on its page, and returns its id. */
export async function inspectEvents(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: INSPECT_URL }),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}
