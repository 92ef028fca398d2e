import type { OperationResultObservable, TRPCLink } from '@trpc/client';
import { share } from '@trpc/server/observable';
import type { AppRouter } from '#server/dashboard/router.ts';

/** A mutation that is called again with the same input before its answer is not sent again: both calls get the answer. */
export const onceLink: TRPCLink<AppRouter> = () => {
  const running = new Map<string, OperationResultObservable<AppRouter, unknown>>();
  return ({ op, next }) => {
    if (op.type !== 'mutation') return next(op);
    const call = op.path + JSON.stringify(op.input);
    const earlier = running.get(call);
    if (earlier) return earlier;
    const result = next(op).pipe(share());
    const ended = () => running.delete(call);
    running.set(call, result);
    result.subscribe({ complete: ended, error: ended });
    return result;
  };
};
