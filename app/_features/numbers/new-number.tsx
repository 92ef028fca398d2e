'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FlaskConical, Smartphone } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import Link from '#app/_components/ui/link.tsx';
import { planStates } from '#app/_features/plan/state-words.ts';
import { type Me, useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { planWorks } from '#server/core/access.ts';
import type { Network } from '#server/core/number-state.ts';
import { newNumber as texts } from './new-number-words.ts';

/** Asks for network and label; linking comes next. */
export function NewNumber() {
  const me = useMe();
  const plan = usePlan();
  const needsPlan = !planWorks(plan.state);
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [network, setNetwork] = useState<Network>(me.sandbox ? 'sandbox' : 'whatsapp');
  const add = useMutation(
    trpc.numbers.add.mutationOptions({
      onSuccess: async (number) => {
        await queryClient.invalidateQueries(trpc.numbers.list.queryFilter());
        router.push(`/numbers/${number.id}/link`);
      },
    }),
  );
  const busy = add.isPending || add.isSuccess;
  const submit = (values: FormData) => add.mutate({ network, label: String(values.get('label') ?? '') });
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Card className="max-w-[640px]">
        <Form busy={busy} onSubmit={submit}>
          <div className="flex flex-col gap-5 p-4 sm:p-5">
            <Failure error={add.error} assertive />
            {me.sandbox && (
              <fieldset className="flex flex-col gap-2">
                <legend className="mb-2 text-13 font-medium">{texts.network}</legend>
                <div className="grid gap-3 sm:grid-cols-2">
                  {(['sandbox', 'whatsapp'] as const).map((value) => (
                    <Choice
                      key={value}
                      value={value}
                      checked={network === value}
                      onChoose={setNetwork}
                      icon={value === 'sandbox' ? <FlaskConical /> : <Smartphone />}
                      title={texts[value].title}
                      text={value === 'sandbox' ? sandboxText(plan) : texts.whatsapp.text}
                      tag={value === 'whatsapp' && needsPlan && texts.needsPlan}
                      locked={value === 'whatsapp' && plan.trial !== null}
                    />
                  ))}
                </div>
              </fieldset>
            )}
            {needsPlan && (
              <p className="text-13 text-ink-2">
                {texts.needsPlanText}{' '}
                <Link href="/account/plan" className="font-medium text-brand-fg hover:underline">
                  {planStates.open}
                </Link>
              </p>
            )}
            <InputField
              label={texts.label}
              help={texts.labelHelp}
              name="label"
              maxLength={100}
              autoComplete="off"
            />
          </div>
          <CardFoot className="justify-end! px-5! py-3!">
            <Button type="submit" variant="primary" busy={busy}>
              {texts.submit}
            </Button>
          </CardFoot>
        </Form>
      </Card>
    </>
  );
}

/** What a sandbox number takes of the plan or of the trial. */
function sandboxText({ state, trial }: Me['plan']): string {
  const { text, counts, onTrial } = texts.sandbox;
  return `${text} ${planWorks(state) ? counts : trial ? onTrial : texts.sandbox.needsPlan}`;
}

function Choice({
  value,
  checked,
  onChoose,
  icon,
  title,
  text,
  tag,
  locked,
}: {
  value: Network;
  checked: boolean;
  onChoose: (value: Network) => void;
  icon: ReactNode;
  title: string;
  text: string;
  tag: string | false;
  locked: boolean;
}) {
  return (
    <label className="flex cursor-pointer items-start gap-3 rounded-4 border border-line-strong bg-raised p-3.5 text-left shadow-card has-disabled:cursor-default has-disabled:bg-surface has-disabled:shadow-none has-enabled:hover:bg-[linear-gradient(var(--hover),var(--hover))] has-checked:border-brand-solid has-checked:bg-brand-bg has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-3 has-checked:[&>svg]:text-brand-fg">
      {icon}
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {title}
          {tag && <Tag>{tag}</Tag>}
        </span>
        <span className="mt-0.5 block text-13 text-ink-2">{text}</span>
      </span>
      <input
        type="radio"
        name="network"
        value={value}
        checked={checked}
        disabled={locked}
        onChange={() => onChoose(value)}
        className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-control bg-raised outline-none checked:border-[5px] checked:border-brand-solid checked:bg-on-brand"
      />
    </label>
  );
}
