'use client';

import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { useToast } from '#app/_components/ui/toast.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { admin } from './words.ts';

/** Shows the account's pages as a member sees them, until the administrator ends it in the bar at the top. */
export function ViewButton({ accountId }: { accountId: string }) {
  const trpc = useTRPC();
  const toast = useToast();
  const begin = useMutation(
    trpc.admin.beginView.mutationOptions({
      onSuccess: () => window.location.assign('/'),
      onError: (error) => toast({ tone: 'fail', title: sentenceOf(error) }),
    }),
  );
  return (
    <Button busy={begin.isPending || begin.isSuccess} onClick={() => begin.mutate({ accountId })}>
      <Eye />
      {admin.account.view}
    </Button>
  );
}
