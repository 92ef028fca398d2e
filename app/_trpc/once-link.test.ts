import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { expect, test } from 'vitest';
import type { AppRouter } from '#server/dashboard/router.ts';
import { onceLink } from './once-link.ts';

/** A client whose requests the test answers. */
function clientWith() {
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
  const { sent, client } = clientWith();
  const label = 'Shop';
  const calls = [1, 2].map(() => client.numbers.add.mutate({ network: 'sandbox', label }));
  expect(sent).toHaveLength(1);
  sent[0]?.answer({ id: 'num_1' });
  expect(await Promise.all(calls)).toEqual([{ id: 'num_1' }, { id: 'num_1' }]);
});

test('after the answer or a refusal the same mutation is sent again', async () => {
  const { sent, client } = clientWith();
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
  const { sent, client } = clientWith();
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
