'use client';

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import { type ReactNode, useState } from 'react';
import { common } from '#app/_components/ui/words.ts';
import { signInFor } from '#app/_features/auth/asked-for.ts';
import { BATCH_MAX, URL_CHARS_MAX } from '#server/dashboard/batch.ts';
import type { AppRouter } from '#server/dashboard/router.ts';
import { TRPCProvider } from './client.ts';
import { confirmLink } from './confirm-link.ts';

const URL = '/api/trpc';
/** What is shown follows the stream of changes; this is the net beneath it. */
const STALE_MS = 15_000;

/** The sentence of an error that a procedure gave, or a plain one when the server could not be reached. */
export function sentenceOf(error: unknown): string {
  if (error instanceof TRPCClientError && error.data) return error.message;
  return common.unreachable;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED';
}

/** What was asked too often at once is answered a moment later; any other refusal stays one. */
function isFinal(error: unknown): boolean {
  const status = error instanceof TRPCClientError ? (error.data?.httpStatus ?? 500) : 500;
  return status < 500 && status !== 429;
}

/** Back to the form, and from there to where the person was. */
export function toSignIn(): void {
  const next = window.location.pathname + window.location.search;
  window.location.assign(signInFor(next));
}

/** The stream says within this why somebody is signed out, and leads there itself. */
const REASON_MS = 1_000;
let stays = false;

/** The page explains why nothing of it is there any more: what it still asks for leads nowhere. */
export function stayHere(): void {
  stays = true;
}

function makeQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) setTimeout(() => stays || toSignIn(), REASON_MS);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // Signed out it may only seem to be: the session's cookie was replaced while this was on its way.
        retry: (failures, error) => (isSignedOut(error) ? failures < 1 : failures < 3 && !isFinal(error)),
      },
    },
  });
}

export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        confirmLink,
        splitLink({
          condition: (operation) => operation.type === 'subscription',
          true: httpSubscriptionLink({ url: URL }),
          false: httpBatchLink({ url: URL, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
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
