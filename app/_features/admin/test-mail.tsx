import { useMutation } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { operation } from './operation-words.ts';

const texts = operation.settings.testMail;

/** Mails the administrator a test, and says why when it fails. */
export function TestMail() {
  const trpc = useTRPC();
  const { done, failed } = useFeedback();
  const send = useMutation(
    trpc.admin.sendTestMail.mutationOptions({
      onSuccess: ({ to }) => done(texts.done(to)),
      onError: failed,
    }),
  );
  return (
    <Button busy={send.isPending} onClick={() => send.mutate()}>
      <Mail />
      {texts.send}
    </Button>
  );
}
