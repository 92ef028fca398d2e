import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { admin } from './words.ts';

/** Shows the account's pages as a member sees them, until the administrator ends it in the bar at the top. */
export function ViewButton({ accountId }: { accountId: string }) {
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const begin = useMutation(
    trpc.admin.beginView.mutationOptions({
      onSuccess: () => window.location.assign('/'),
      onError: failed,
    }),
  );
  return (
    <Button busy={begin.isPending || begin.isSuccess} onClick={() => begin.mutate({ accountId })}>
      <Eye />
      {admin.account.view}
    </Button>
  );
}
