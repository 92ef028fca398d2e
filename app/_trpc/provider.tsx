'use client';

import {
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  type OperationResultObservable,
  splitLink,
  TRPCClientError,
  type TRPCLink,
} from '@trpc/client';
import { observable, share } from '@trpc/server/observable';
import { type ReactNode, useState } from 'react';
import { common } from '#app/_components/ui/words.ts';
import { BATCH_MAX, URL_CHARS_MAX } from '#server/dashboard/batch.ts';
import type { AppRouter } from '#server/dashboard/router.ts';
import { TRPCProvider } from './client.ts';
import { confirmLink } from './confirm-link.ts';
import { saved, signedIn, toSignIn } from './sign-in-again.ts';

const API = '/api/trpc';
/** A fallback: the stream of changes refreshes queries earlier. */
const STALE_MS = 15_000;
/** Longer than any procedure takes: a message waits for its outcome for 55 s. */
const ANSWER_MS = 90_000;

// By default pages are notified in a timer, and a second click can come first: its button would not be busy yet.
notifyManager.setScheduler(queueMicrotask);

/** The sentence of a procedure's error, or a general one if the server was not reached. A text is unchanged. */
export function sentenceOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof TRPCClientError && error.data) return error.message;
  return common.unreachable;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED';
}

/** A rate-limited query is retried a moment later; other refusals are final. */
export function isFinal(error: unknown): boolean {
  const status = error instanceof TRPCClientError ? (error.data?.httpStatus ?? 500) : 500;
  return status < 500 && status !== 429;
}

/** Within this time the stream reports why the user is signed out, and redirects. */
const REASON_MS = 1_000;
let stays = false;

/** The page already explains why it has ended; its remaining queries do not redirect. */
export function stayHere(): void {
  stays = true;
}

export function makeQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) setTimeout(() => stays || toSignIn(), REASON_MS);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: signedIn }),
    mutationCache: new MutationCache({ onError, onSuccess: saved }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // Without a network, a server on this machine still answers. By default a query would wait for the network first.
        networkMode: 'offlineFirst',
        // The user may not be signed out: the session cookie can have been replaced during this request.
        retry: (failures, error) => (isSignedOut(error) ? failures < 1 : failures < 3 && !isFinal(error)),
      },
      // Without a network it fails at once. By default it would wait, and run when nobody expects it any more.
      mutations: { networkMode: 'always' },
    },
  });
}

/** `url`: of the API, with the account that the pages show. */
export function ApiProvider({ url = API, children }: { url?: string; children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        onceLink,
        confirmLink,
        splitLink({
          condition: (operation) => operation.type === 'subscription',
          true: httpSubscriptionLink({ url }),
          false: [inTimeLink, httpBatchLink({ url, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX })],
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

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
