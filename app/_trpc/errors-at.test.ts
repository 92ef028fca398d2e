import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { errorsAt } from './errors-at.ts';

const failed = (field: string | null) =>
  TRPCClientError.from({ error: { code: -32600, message: 'No.', data: { field } } } as never);

test('an error is shown at its field, and above the form if it has none there', () => {
  const about = failed('url');
  expect(errorsAt(about, ['url', 'name'])).toEqual({ above: undefined, at: { url: about } });
  expect(errorsAt(about, ['name'])).toEqual({ above: about, at: {} });
  const general = failed(null);
  expect(errorsAt(general, ['url'])).toEqual({ above: general, at: {} });
  expect(errorsAt(null, ['url'])).toEqual({ above: null, at: {} });
});
