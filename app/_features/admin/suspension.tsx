import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import type { AdminAccount } from './admin-account.ts';
import { admin } from './words.ts';

const { account: texts, suspendDialog } = admin;

/** Suspends the account after a confirmation, or resumes it. */
export function Suspension({ account: { accountId, name, plan } }: { account: AdminAccount }) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const suspend = useMutation(trpc.admin.suspendAccount.mutationOptions({ onSuccess: () => refresh() }));
  if (plan.suspended)
    return (
      <Button
        busy={suspend.isPending}
        onClick={() =>
          suspend.mutate(
            { accountId, suspended: false },
            {
              onSuccess: () => done(texts.resumed(name)),
              onError: failed,
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
      {...suspendDialog(name)}
      onConfirm={() => suspend.mutateAsync({ accountId, suspended: true })}
    />
  );
}
