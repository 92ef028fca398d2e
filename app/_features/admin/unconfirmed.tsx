import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { admin } from './words.ts';

const texts = admin.account.unconfirmed;

/** Users with unconfirmed addresses: the administrator confirms or releases each address. */
export function Unconfirmed({ emails }: { emails: readonly string[] }) {
  return (
    <Section title={texts.title}>
      <p className="-mt-1 max-w-[68ch] text-13 text-ink-3">{texts.text}</p>
      <Card>
        <ul>
          {emails.map((email) => (
            <Person key={email} email={email} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Person({ email }: { email: string }) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const onSuccess = () => refresh();
  const confirm = useMutation(
    trpc.admin.confirmEmail.mutationOptions({
      onSuccess: () => {
        done(texts.confirmed(email));
        return onSuccess();
      },
      onError: failed,
    }),
  );
  const release = useMutation(trpc.admin.releaseEmail.mutationOptions({ onSuccess }));
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-line-soft px-4 py-2.5 text-13 [&+&]:border-t">
      <span className="min-w-0 flex-1 truncate font-medium max-sm:basis-full">{email}</span>
      <Button size="small" busy={confirm.isPending} onClick={() => confirm.mutate({ email })}>
        {texts.confirm}
      </Button>
      <Confirm
        trigger={
          <Button size="small" variant="danger">
            {texts.release}
          </Button>
        }
        {...texts.dialog(email)}
        onConfirm={() => release.mutateAsync({ email })}
      />
    </li>
  );
}
