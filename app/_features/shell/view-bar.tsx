import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { useMe } from './me.tsx';
import { frameNotes } from './words.ts';

const { view: texts } = frameNotes;

/** Shown while an administrator views an account as a member: its name, and the way back. */
export function ViewBar() {
  const { account } = useMe();
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const end = useMutation(
    trpc.admin.endView.mutationOptions({
      // Everything on screen belonged to the other account, so the page loads again. The stream's end does the
      // same.
      onSuccess: () => window.location.assign(`/admin/accounts/${account.accountId}`),
      onError: failed,
    }),
  );
  return (
    <section
      aria-label={texts.label}
      className="tone-warn sticky top-0 z-30 flex h-[var(--bar)] items-center gap-2.5 border-b border-tone-line bg-tone-bg px-4 text-13 text-tone-fg"
    >
      <Eye className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 leading-4 sm:truncate">
        <b className="font-semibold max-sm:block max-sm:truncate">{texts.whose(account.name)}</b>{' '}
        <span className="max-sm:block max-sm:truncate max-sm:text-12">{texts.means}</span>
        <span className="max-lg:hidden"> {texts.logged}</span>
      </p>
      <Button size="small" changes={false} busy={end.isPending || end.isSuccess} onClick={() => end.mutate()}>
        {texts.end}
      </Button>
    </section>
  );
}
