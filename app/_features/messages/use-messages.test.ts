import { expect, test, vi } from 'vitest';
import { gather } from './use-messages.ts';

test('changes that come during a request are loaded together after it', async () => {
  const loaded: { messages: string[]; all: boolean }[] = [];
  const answers: (() => void)[] = [];
  const note = gather((changes) => {
    loaded.push(changes);
    return new Promise((resolve) => answers.push(resolve));
  });
  note({ messages: ['a'], all: false });
  note({ messages: ['b', 'a'], all: false });
  note({ messages: ['b', 'c'], all: true });
  expect(loaded).toEqual([{ messages: ['a'], all: false }]);
  answers[0]?.();
  await vi.waitFor(() => expect(loaded).toHaveLength(2));
  expect(loaded[1]).toEqual({ messages: ['b', 'a', 'c'], all: true });
  answers[1]?.();
});

test('a failed request does not end the list: the next change is loaded', async () => {
  const load = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue();
  const note = gather(load);
  note({ messages: ['a'], all: false });
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  await vi.waitFor(() => {
    note({ messages: ['b'], all: false });
    expect(load.mock.calls.length).toBeGreaterThan(1);
  });
});
