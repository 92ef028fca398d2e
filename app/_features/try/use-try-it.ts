import { useMutation } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { useRef } from 'react';
import { type Inputs, useTRPC } from '#app/_trpc/client.ts';
import { newAttempt } from '#app/_trpc/new-attempt.ts';
import { tryIt as texts } from './words.ts';

/** Sends a typed message. Until the server has answered, the same request again is the same message. */
export function useTryIt(onSettled?: () => void) {
  const trpc = useTRPC();
  const attempt = useRef('');
  const { mutate, error, ...send } = useMutation(
    trpc.messages.tryIt.mutationOptions({
      onSuccess: () => {
        attempt.current = '';
      },
      ...(onSettled && { onSettled }),
    }),
  );
  // Only the server's own errors have data.
  const answered = error instanceof TRPCClientError && error.data;
  return {
    ...send,
    problem: error && !answered ? texts.lost : error,
    mutate: (request: Omit<Inputs['messages']['tryIt'], 'attempt'>) => {
      attempt.current ||= newAttempt();
      mutate({ ...request, attempt: attempt.current });
    },
  };
}
