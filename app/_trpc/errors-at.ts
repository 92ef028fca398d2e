import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '#server/dashboard/router.ts';

/** Where a form shows its error: at the one of its `fields` that it is about (`at`), or above all of them. */
export function errorsAt<F extends string>(
  error: unknown,
  fields: readonly F[],
): { above: unknown; at: { [field in F]?: unknown } } {
  const about = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.field : null;
  const field = fields.find((one) => one === about);
  return field === undefined
    ? { above: error, at: {} }
    : { above: undefined, at: { [field]: error } as { [field in F]?: unknown } };
}
