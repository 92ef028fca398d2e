import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '#server/dashboard/router.ts';

/** Longer than any procedure takes: a message waits for its outcome for 55 s. */
const ANSWER_MS = 90_000;

/** A call without an answer fails, and its request is ended. Otherwise a page would wait until it is closed. */
export const inTimeLink: TRPCLink<AppRouter> = () => {
  return ({ op, next }) =>
    observable((observer) => {
      const overdue = () => observer.error(new TRPCClientError('The server did not respond in time.'));
      const timer = setTimeout(overdue, ANSWER_MS);
      const running = next(op).subscribe(observer);
      return () => {
        clearTimeout(timer);
        running.unsubscribe();
      };
    });
};
