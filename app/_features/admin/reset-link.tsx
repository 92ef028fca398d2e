'use client';

import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { useToast } from '#app/_components/ui/toast.tsx';
import { account } from '#app/_features/account/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';

const texts = account.resetLink;

/** Creates a one-time link to set a new password. */
export function ResetLink({ email }: { email: string }) {
  const trpc = useTRPC();
  const toast = useToast();
  const make = useMutation(
    trpc.admin.resetLink.mutationOptions({
      onError: (error) => toast({ tone: 'fail', title: sentenceOf(error) }),
    }),
  );
  return (
    <>
      <Button busy={make.isPending} onClick={() => make.mutate({ email })}>
        {texts.make}
      </Button>
      {make.data && (
        <Dialog
          keepOpen
          title={texts.title}
          description={texts.lead(email)}
          footer={
            <Button variant="primary" onClick={() => make.reset()}>
              {texts.close}
            </Button>
          }
        >
          <p className="flex items-center gap-2">
            <code className="min-w-0 flex-1 font-mono text-12 break-all">{make.data.link}</code>
            <CopyButton text={make.data.link} label={texts.copy} />
          </p>
        </Dialog>
      )}
    </>
  );
}
