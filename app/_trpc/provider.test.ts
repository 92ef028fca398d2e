import { MutationObserver, notifyManager, onlineManager, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { afterEach, expect, test, vi } from 'vitest';
import type { AppRouter } from '#server/dashboard/router.ts';
import { inTimeLink, makeQueryClient, onceLink } from './provider.tsx';

test('a page shows that a mutation runs before the next click can come', async () => {
  const mutation = new MutationObserver(new QueryClient(), { mutationFn: () => new Promise(() => {}) });
  const shown = vi.fn();
  // As `useMutation` subscribes.
  mutation.subscribe(notifyManager.batchCalls(({ isPending }) => shown(isPending)));
  void mutation.mutate();
  // Events come after the microtasks of the event before.
  for (let microtask = 0; microtask < 3; microtask += 1) await null;
  expect(shown).toHaveBeenCalledWith(true);
});

test('without a network an action fails at once, instead of running when nobody expects it any more', async () => {
  onlineManager.setOnline(false);
  try {
    const action = new MutationObserver(makeQueryClient(), {
      mutationFn: () => Promise.reject(new TypeError('Failed to fetch')),
    });
    await expect(action.mutate()).rejects.toThrow('Failed to fetch');
  } finally {
    onlineManager.setOnline(true);
  }
});

test('without a network a page still loads from a server on the same machine', async () => {
  onlineManager.setOnline(false);
  try {
    const answer = makeQueryClient().fetchQuery({ queryKey: ['me'], queryFn: () => 'answered' });
    await expect(answer).resolves.toBe('answered');
  } finally {
    onlineManager.setOnline(true);
  }
});

afterEach(() => void vi.useRealTimers());

/** A client whose requests are answered after this time. */
function answeredAfter(answerMs: number) {
  vi.useFakeTimers();
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
  const { client, ended } = answeredAfter(3_600_000);
  const call = client.numbers.release.mutate({ numberId: 'num_1' }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(89_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await call).toMatchObject({ name: 'TRPCClientError', data: undefined });
  expect(ended).toHaveBeenCalledOnce();
});

test('an answer before that counts, also of a message that waits for its outcome', async () => {
  const { client } = answeredAfter(60_000);
  const call = client.numbers.list.query();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await call).toBe('answered');
  expect(vi.getTimerCount()).toBe(0);
});

/** A client whose requests the test answers. */
function answeredByTest() {
  const sent: { path: string; answer: (data: unknown) => void; refuse: () => void }[] = [];
  const toTest: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        sent.push({
          path: op.path,
          answer: (data) => {
            observer.next({ result: { type: 'data', data } });
            observer.complete();
          },
          refuse: () => observer.error(new TRPCClientError('No plan.')),
        });
      });
  return { sent, client: createTRPCClient<AppRouter>({ links: [onceLink, toTest] }) };
}

test('two quick calls of a mutation are sent once, and both get the answer', async () => {
  const { sent, client } = answeredByTest();
  const label = 'Shop';
  const calls = [1, 2].map(() => client.numbers.add.mutate({ network: 'sandbox', label }));
  expect(sent).toHaveLength(1);
  sent[0]?.answer({ id: 'num_1' });
  expect(await Promise.all(calls)).toEqual([{ id: 'num_1' }, { id: 'num_1' }]);
});

test('after the answer or a refusal the same mutation is sent again', async () => {
  const { sent, client } = answeredByTest();
  const hold = () => client.numbers.hold.mutate({ numberId: 'num_1' });
  const first = hold();
  sent[0]?.answer(null);
  await first;
  const refused = [hold(), hold()];
  expect(sent).toHaveLength(2);
  sent[1]?.refuse();
  for (const one of refused) await expect(one).rejects.toThrow('No plan.');
  void hold();
  expect(sent).toHaveLength(3);
});

test('mutations with another input or of another procedure, and queries, are all sent', () => {
  const { sent, client } = answeredByTest();
  void client.numbers.hold.mutate({ numberId: 'num_1' });
  void client.numbers.hold.mutate({ numberId: 'num_2' });
  void client.numbers.release.mutate({ numberId: 'num_1' });
  void client.numbers.list.query();
  void client.numbers.list.query();
  expect(sent.map(({ path }) => path)).toEqual([
    'numbers.hold',
    'numbers.hold',
    'numbers.release',
    'numbers.list',
    'numbers.list',
  ]);
});
