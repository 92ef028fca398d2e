import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { privacy } from './privacy-words.ts';

const texts = privacy.data;

/** Export and deletion of the account, for owners only. */
export function YourData() {
  const trpc = useTRPC();
  const { done } = useFeedback();
  const typed = useRef<HTMLInputElement>(null);
  const me = useMe();
  const remove = useMutation(trpc.account.delete.mutationOptions());
  const prepare = useMutation(
    trpc.account.prepareExport.mutationOptions({
      onSuccess: ({ path }) => {
        done(texts.exported);
        window.location.assign(`${path}?${new URLSearchParams(me.shown)}`);
      },
    }),
  );
  if (me.account.role !== 'owner') return null;
  const { accountId, name } = me.account;
  return (
    <Section title={texts.title}>
      <Card className="flex flex-col gap-4 p-4 text-13">
        <Failure error={prepare.error} assertive />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-[240px] text-ink-2">{texts.exportLead}</p>
          <Button busy={prepare.isPending} onClick={() => prepare.mutate()}>
            {texts.export}
          </Button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line-soft pt-4">
          <p className="min-w-0 flex-1 basis-[240px] text-ink-2">{texts.deleteLead}</p>
          <Confirm
            trigger={<Button variant="danger">{texts.delete}</Button>}
            {...texts.deleteDialog(name)}
            onConfirm={async () => {
              await remove.mutateAsync({ accountId, accountName: typed.current?.value ?? '' });
              window.location.assign('/sign-in');
            }}
          >
            <p>{texts.deleteText}</p>
            <div className="mt-3">
              <InputField label={texts.typeName(name)} ref={typed} autoComplete="off" spellCheck={false} />
            </div>
          </Confirm>
        </div>
      </Card>
    </Section>
  );
}
