import { expect, test } from 'vitest';
import { idempotency } from '#app/_features/guides/idempotency.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { anchorOf } from '#server/rest/reference/operations.ts';
import { TIMEOUTS, whatHappened, whatToDo } from './disconnected.ts';

const request = (messageStatus: MessageStatus | null, messageId: string | null = 'msg_1') => ({
  durationMs: 10_004,
  ...{ messageId, messageStatus },
});

test('a request whose client disconnected says after how long, and what became of its message', () => {
  expect(whatHappened(request('read'))).toBe(
    'Your client closed the connection after 10 s, before the response. This did not cancel the message.',
  );
  expect(whatHappened(request(null, null))).toMatch(/so this one sent nothing\.$/);
});

test('a message is sent again only if it was definitely not sent', () => {
  for (const status of ['sent', 'delivered', 'read'] as const)
    expect(whatToDo(request(status))).toMatch(
      /^Do not send it again\. Set your client’s timeout to at least 60/,
    );
  for (const status of ['queued', 'sending', 'unknown', null] as const)
    expect(whatToDo(request(status))).toMatch(
      /^Do not send it as a new message\. Repeat exactly the same request/,
    );
  for (const status of ['failed', 'expired', 'cancelled'] as const)
    expect(whatToDo(request(status))).toMatch(/^The message was definitely not sent.* repeat the request\./);
  expect(whatToDo(request(null, null))).toMatch(/^Set your client’s timeout/);
});

test('its link leads to a section of the guide', () => {
  const facts = { base: '', files: {} as Parameters<typeof idempotency.text>[0]['files'] };
  const titles = [...idempotency.text(facts).matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
    anchorOf(title),
  );
  const [page, anchor] = TIMEOUTS.split('#');
  expect(page).toBe(`/docs/guides/${idempotency.slug}`);
  expect(titles).toContain(anchor);
});
