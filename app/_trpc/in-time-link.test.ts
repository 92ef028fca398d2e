import { createTRPCClient, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppRouter } from '#server/dashboard/router.ts';
import { inTimeLink } from './in-time-link.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client whose requests are answered after this time. */
function clientWith(answerMs: number) {
  const ended = vi.fn();
  const toTest: TRPCLink<AppRouter> = () => () =>
    observable((observer) => {
      const timer = setTimeout(() => {
        observer.next({ result: { type: 'data', data: 'answered' } });
        observer.complete();
      }, answerMs);
      return () => {
        clearTimeout(timer);
        ended();
      };
    });
  return { ended, client: createTRPCClient<AppRouter>({ links: [inTimeLink, toTest] }) };
}

test('a call that is never answered fails after 90 s, without an answer of the server, and its request is ended', async () => {
  const { client, ended } = clientWith(3_600_000);
  const call = client.numbers.release.mutate({ numberId: 'num_1' }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(89_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await call).toMatchObject({ name: 'TRPCClientError', data: undefined });
  expect(ended).toHaveBeenCalledOnce();
});

test('an answer before that counts, also of a message that waits for its outcome', async () => {
  const { client } = clientWith(60_000);
  const call = client.numbers.list.query();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await call).toBe('answered');
  expect(vi.getTimerCount()).toBe(0);
});
