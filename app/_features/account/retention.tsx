import { useMutation, useQuery } from '@tanstack/react-query';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { OwnerForm } from './owner-form.tsx';
import { privacy } from './privacy-words.ts';

const texts = privacy.retention;

const FIELDS = [
  { name: 'textRetentionDays', label: texts.text, unit: texts.textUnit },
  { name: 'metadataRetentionDays', label: texts.metadata, unit: texts.metadataUnit },
] as const;

/** How long the account keeps its data; an owner can lower it. */
export function Retention() {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const { data, error, refetch } = useQuery(trpc.account.retention.queryOptions());
  const me = useMe();
  const change = useMutation(
    trpc.account.setRetention.mutationOptions({
      onSuccess: () => {
        done(texts.done);
        return refresh({ queryKey: trpc.account.retention.queryKey() });
      },
    }),
  );
  const owner = me.account.role === 'owner';
  const send = (values: FormData) => {
    const given = (name: string) => Number(values.get(name));
    change.mutate({
      textRetentionDays: given('textRetentionDays'),
      metadataRetentionDays: given('metadataRetentionDays'),
    });
  };
  return (
    <Section title={texts.title}>
      <Card className="p-4">
        <Failure error={error} retry={refetch} />
        <Failure error={change.error} assertive />
        {!data && !error && <SkeletonRows rows={3} />}
        {data && (
          <OwnerForm owner={owner} busy={change.isPending} submit={texts.submit} onSubmit={send}>
            <p className="text-13 text-ink-2">{texts.lead}</p>
            {FIELDS.map(({ name, label, unit }) => (
              <InputField
                key={name}
                label={label}
                help={`${texts.atMost(data.most[name])} ${unit}`}
                name={name}
                type="number"
                inputMode="numeric"
                required
                min={0}
                max={data.most[name]}
                defaultValue={data[name]}
                disabled={!owner}
                className="max-w-[96px] tabular-nums"
              />
            ))}
          </OwnerForm>
        )}
      </Card>
    </Section>
  );
}
