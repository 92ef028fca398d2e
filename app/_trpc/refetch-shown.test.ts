import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { refetchShown } from './refetch-shown.ts';

/** A visible query whose answers the test releases. */
function shown(queryClient: QueryClient) {
  const answers: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(queryClient, { queryKey: ['message'], queryFn, staleTime: 60_000 });
  observer.subscribe(() => {});
  return { answers, data: () => observer.getCurrentResult().data };
}

test('a change during the first fetch is not lost', async () => {
  const queryClient = new QueryClient();
  const { answers, data } = shown(queryClient);
  refetchShown(queryClient, { queryKey: ['message'] });
  answers[0]?.('queued');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('sending');
  await vi.waitFor(() => expect(data()).toBe('sending'));
  queryClient.clear();
});

test('loaded data is fetched again once, and unaffected data is not fetched', async () => {
  const queryClient = new QueryClient();
  const { answers, data } = shown(queryClient);
  refetchShown(queryClient, { queryKey: ['number'] });
  answers[0]?.('queued');
  await vi.waitFor(() => expect(data()).toBe('queued'));
  refetchShown(queryClient, { queryKey: ['message'] });
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('sent');
  await vi.waitFor(() => expect(data()).toBe('sent'));
  expect(answers).toHaveLength(2);
  queryClient.clear();
});

test('changes that come faster than answers do not hold the answers back', async () => {
  const queryClient = new QueryClient();
  const { answers, data } = shown(queryClient);
  answers[0]?.('queued');
  await vi.waitFor(() => expect(data()).toBe('queued'));
  refetchShown(queryClient, { queryKey: ['message'] });
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  refetchShown(queryClient, { queryKey: ['message'] });
  refetchShown(queryClient, { queryKey: ['message'] });
  answers[1]?.('sending');
  await vi.waitFor(() => expect(data()).toBe('sending'));
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[2]?.('sent');
  await vi.waitFor(() => expect(data()).toBe('sent'));
  expect(answers).toHaveLength(3);
  queryClient.clear();
});
