'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { useToast } from '#app/_components/ui/toast.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import type { AdminAccount } from './admin-account.ts';
import { admin } from './words.ts';

const { account: texts, suspendDialog } = admin;

/** Suspends the account after a confirmation, or resumes it. */
export function Suspension({ account: { accountId, name, plan } }: { account: AdminAccount }) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const suspend = useMutation(
    trpc.admin.suspendAccount.mutationOptions({ onSuccess: () => queryClient.invalidateQueries() }),
  );
  if (plan.suspended)
    return (
      <Button
        busy={suspend.isPending}
        onClick={() =>
          suspend.mutate(
            { accountId, suspended: false },
            {
              onSuccess: () => toast({ tone: 'ok', title: texts.resumed(name) }),
              onError: (error) => toast({ tone: 'fail', title: sentenceOf(error) }),
            },
          )
        }
      >
        {texts.resume}
      </Button>
    );
  return (
    <Confirm
      trigger={<Button variant="danger">{texts.suspend}</Button>}
      title={suspendDialog.title(name)}
      ends={[suspendDialog.stops, suspendDialog.cancels]}
      stays={[suspendDialog.stays]}
      keepWord={suspendDialog.keep}
      doWord={suspendDialog.submit}
      done={suspendDialog.done(name)}
      onConfirm={() => suspend.mutateAsync({ accountId, suspended: true })}
    >
      {suspendDialog.text}
    </Confirm>
  );
}
