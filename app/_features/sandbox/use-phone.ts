import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';

export type Phone = Outputs['sandbox']['phone'];
export type Chat = Phone['chats'][number];
export type ChatMessage = Chat['messages'][number];

/** Polled while the page is visible, because the virtual phone sends no notifications. */
const LOOK_MS = 1_500;

export function usePhone(numberId: string) {
  const trpc = useTRPC();
  return useQuery(trpc.sandbox.phone.queryOptions({ numberId }, { refetchInterval: LOOK_MS, staleTime: 0 }));
}

/** The actions of the phone; a toast shows each failure. */
export function usePhoneActions() {
  const trpc = useTRPC();
  const { failed, refresh } = useFeedback();
  const loud = {
    onSettled: () => {
      void refresh(trpc.sandbox.pathFilter());
      void refresh(trpc.numbers.pathFilter());
    },
    onError: failed,
  };
  return {
    drive: useMutation(trpc.sandbox.drive.mutationOptions(loud)),
    enterCode: useMutation(trpc.sandbox.enterCode.mutationOptions(loud)),
    receive: useMutation(trpc.sandbox.receive.mutationOptions(loud)),
    setDelivery: useMutation(trpc.sandbox.setDelivery.mutationOptions(loud)),
    demandPasskey: useMutation(trpc.sandbox.demandPasskey.mutationOptions(loud)),
    signPasskey: useMutation(trpc.sandbox.signPasskey.mutationOptions(loud)),
    setSurprise: useMutation(trpc.sandbox.setSurprise.mutationOptions(loud)),
  };
}
