import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { LinkDialog } from '#app/_components/ui/link-dialog.tsx';
import { account } from '#app/_features/account/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';

const texts = account.resetLink;

/** Creates a one-time link to set a new password. */
export function ResetLink({ email }: { email: string }) {
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const make = useMutation(trpc.admin.resetLink.mutationOptions({ onError: failed }));
  return (
    <>
      <Button busy={make.isPending} onClick={() => make.mutate({ email })}>
        {texts.make}
      </Button>
      {make.data && (
        <LinkDialog link={make.data.link} {...texts} text={texts.text(email)} onClose={() => make.reset()} />
      )}
    </>
  );
}
