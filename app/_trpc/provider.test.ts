import { MutationObserver, notifyManager, onlineManager, QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { makeQueryClient } from './provider.tsx';

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
