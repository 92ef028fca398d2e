import { expect, test } from 'vitest';
import { idempotency } from '#app/_features/guides/idempotency.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { anchorOf } from '#server/rest/reference/operations.ts';
import { TIMEOUTS, whatHappened, whatToDo } from './disconnected.ts';

const NOW = new Date('2026-11-26T10:05:00Z');
const request = (messageStatus: MessageStatus | null, messageId: string | null = 'msg_1') => ({
  ...{ durationMs: 10_004, leftWaiting: false, messageId, messageStatus },
  ...{ messageAcceptedAt: '2026-11-26T10:00:00Z', messageKeyed: true, messageAnswered: false },
});
const toDo = (of: ReturnType<typeof request>) => whatToDo(of, NOW);

test('a request whose client disconnected says after how long, and what became of its message', () => {
  expect(whatHappened(request('read'))).toBe(
    'Your client closed the connection after 10 s, before the response. This did not cancel the message.',
  );
  expect(whatHappened({ ...request('read'), leftWaiting: true })).toMatch(
    /This did not cancel the message: it was accepted, and was still waiting for its turn\.$/,
  );
  expect(whatHappened(request(null, null))).toMatch(/so this one sent nothing\.$/);
});

test('a message is sent again only if it was definitely not sent', () => {
  for (const status of ['sent', 'delivered', 'read'] as const)
    expect(toDo(request(status))).toMatch(
      /^The message was sent, so there is nothing to send\. Automatic repeats .* are safe\. Set your client’s timeout to at least 60.*Prefer: respond-async/,
    );
  for (const status of ['queued', 'sending', 'unknown', null] as const)
    expect(toDo(request(status))).toMatch(
      /^Do not send it as a new message\. Repeat exactly the same request/,
    );
  for (const status of ['failed', 'expired', 'cancelled'] as const)
    expect(toDo(request(status))).toMatch(/^The message was definitely not sent.* repeat the request\./);
  expect(toDo(request(null, null))).toMatch(/^Set your client’s timeout/);
});

test('without an Idempotency-Key it says until when a repeat is safe, and later that it sends a second message', () => {
  for (const status of ['queued', 'sending', 'unknown'] as const) {
    const unkeyed = { ...request(status), messageKeyed: false };
    expect(toDo(unkeyed)).toMatch(
      /had no Idempotency-Key: repeat exactly the same request before \d\d:\d\d:00, .* a second time\./,
    );
    for (const over of [
      { ...unkeyed, messageAnswered: true },
      { ...unkeyed, messageAcceptedAt: '2026-11-26T09:54:00Z' },
      { ...request(status), messageAcceptedAt: '2026-11-25T10:00:00Z' },
    ])
      expect(toDo(over)).toMatch(
        /^Do not repeat the request: a repeat now sends the message a second time\./,
      );
  }
  expect(toDo({ ...request('failed'), messageKeyed: false })).not.toContain('second time');
  expect(toDo({ ...request('read'), messageKeyed: false })).toMatch(
    /After 10 minutes, the same request makes a second message\. An Idempotency-Key for each message prevents this/,
  );
  expect(toDo({ ...request('read'), messageKeyed: false, messageAnswered: true })).toMatch(
    /Do not send it again: a repeat got the response, so the same request now makes a second message\. An/,
  );
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
