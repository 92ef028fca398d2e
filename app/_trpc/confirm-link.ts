import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '#server/dashboard/router.ts';

/** Asks the user for their password; resolves to whether it was confirmed. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** Registers who asks while a dashboard is on screen; the returned function unregisters. */
export function answerWith(asker: Ask): () => void {
  ask = asker;
  return () => {
    if (ask === asker) ask = null;
  };
}

/** When the server requires the password for an action, asks the user for it and repeats the request. */
export const confirmLink: TRPCLink<AppRouter> = () => {
  return ({ op, next }) =>
    observable((observer) => {
      const again = () => next(op).subscribe(observer);
      let running = next(op).subscribe({
        ...observer,
        error: (error) => {
          if (!ask || !isDemand(error)) return observer.error(error);
          void ask().then((typed) => {
            if (typed) running = again();
            else observer.error(error);
          });
        },
      });
      return () => running.unsubscribe();
    });
};

function isDemand(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.appCode === 'confirm_password';
}
