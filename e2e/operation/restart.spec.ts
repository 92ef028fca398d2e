import { rm } from 'node:fs/promises';
import { expect, test } from 'playwright/test';
import { newNumber } from '../new-number.ts';
import { type Stack, startStack } from '../stack.ts';

async function statusOf(stack: Stack, key: string) {
  const answer = await fetch(`${stack.url}/v1/status`, { headers: { 'x-api-key': key } });
  return answer.json();
}

async function sendText(stack: Stack, key: string, body: string) {
  const answer = await fetch(`${stack.url}/v1/messages/text`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ to: '491700000001', body }),
  });
  return { status: answer.status, body: await answer.json() };
}

test('accounts, keys and links survive a stop and kill -9, without a new QR', async () => {
  test.setTimeout(300_000);
  const env = { SANDBOX_SEND_INTERVAL_MS: '0' };
  let stack = await startStack({ env });
  const { dataDir } = stack;
  const instance = await newNumber(stack, {
    email: 'owner@example.com',
    password: 'a kingfisher dives at dusk',
    numbers: 1,
  });
  const { phoneNumber } = await stack.cli<{ phoneNumber: string }>('number', 'link', '--instance', instance);
  const { key } = await stack.cli<{ key: string }>('key', 'create', '--instance', instance);
  const connected = { success: true, data: { instance, phoneNumber, status: 'CONNECTED', connected: true } };
  expect(await statusOf(stack, key)).toEqual(connected);

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const from = performance.now();
    expect(await stack.end(signal)).toBe(signal === 'SIGTERM' ? 0 : null);
    expect(performance.now() - from).toBeLessThan(15_000);
    stack = await startStack({ env, dataDir });
    await expect.poll(() => statusOf(stack, key), { timeout: 60_000 }).toEqual(connected);
    expect(await sendText(stack, key, `after ${signal}`)).toEqual({
      status: 200,
      body: {
        success: true,
        data: { id: expect.stringMatching(/^msg_/), to: '491700000001@c.us', type: 'text', status: 'sent' },
      },
    });
  }
  const inbox = await stack.cli<{ body: string }[]>('sandbox', 'inbox', '--instance', instance);
  expect(inbox.map(({ body }) => body)).toEqual(['after SIGTERM', 'after SIGKILL']);
  await stack.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});
