import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { day } from '#app/_components/ui/time.tsx';
import { AmountField, centsOf, NumbersField } from '#app/_features/plan/plan-inputs.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { runningTerms } from '#server/core/access.ts';
import type { AdminAccount } from './admin-account.ts';
import { proposedTerms } from './months.ts';
import { UntilField } from './until-field.tsx';
import { admin } from './words.ts';

const texts = admin.account;

/** Enables or changes a plan and records the payment. Warns before it saves a smaller plan or an unusual date. */
export function PlanForm({ account }: { account: AdminAccount }) {
  const { plan } = account;
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  // Untouched fields follow the plan, also when another administrator changes it meanwhile.
  const [touched, setTouched] = useState<{ until?: string; numbers?: string }>({});
  const { until, numbers } = { ...proposedTerms(plan, account.planRequest?.numbers ?? null), ...touched };
  const setUntil = (next: string) => setTouched((before) => ({ ...before, until: next }));
  const setNumbers = (next: string) => setTouched((before) => ({ ...before, numbers: next }));
  const activate = useMutation(
    trpc.admin.activatePlan.mutationOptions({
      onSuccess: async (saved) => {
        await refresh();
        setTouched({});
        done(texts.enabled(saved.paidUntil ? day(saved.paidUntil) : ''));
      },
      onError: () => refresh(),
    }),
  );
  const submit = (form: FormData) => {
    activate.mutate({
      accountId: account.accountId,
      numbersIncluded: Number(numbers),
      paidUntil: until,
      amountCents: centsOf(String(form.get('amount') ?? '').trim()),
      note: String(form.get('note') ?? ''),
      paidOn: String(form.get('paidOn') ?? '') || null,
      reference: String(form.get('reference') ?? ''),
      seen: runningTerms(plan),
    });
  };
  const shrinks = Number(numbers) < plan.numbersUsed;
  return (
    <Card>
      <Form busy={activate.isPending} onSubmit={submit}>
        <div className="grid grid-cols-1 gap-4 p-4 sm:grid-cols-[150px_minmax(0,1fr)]">
          <Failure error={activate.error} assertive className="sm:col-span-2" />
          <NumbersField
            label={texts.numbers}
            value={numbers}
            onChange={(event) => setNumbers(event.target.value)}
          />
          <UntilField paidUntil={plan.paidUntil} value={until} onChange={setUntil} />
          <AmountField
            label={texts.amount}
            help={texts.amountHelp}
            placeholder={(plan.price * (Number(numbers) || 1)).toFixed(2)}
          />
          <details className="text-13 sm:col-span-2">
            <summary className="w-fit cursor-pointer font-medium text-ink-2 hover:text-ink">
              {texts.more}
            </summary>
            <div className="mt-4 grid grid-cols-1 gap-4 sm:grid-cols-3">
              <InputField
                label={texts.reference}
                help={texts.referenceHelp}
                name="reference"
                maxLength={100}
                autoComplete="off"
              />
              <InputField label={texts.paidOn} help={texts.paidOnHelp} name="paidOn" type="date" />
              <InputField
                label={texts.note}
                help={texts.noteHelp}
                name="note"
                maxLength={200}
                autoComplete="off"
              />
            </div>
          </details>
          {shrinks && (
            <Note tone="warn" title={texts.shrinkTitle} className="sm:col-span-2">
              {texts.shrink(plan.numbersUsed, Number(numbers))}
            </Note>
          )}
        </div>
        <CardFoot className="justify-end!">
          <Button type="submit" variant="primary" busy={activate.isPending}>
            {plan.state === 'none' || plan.state === 'ended' ? texts.submitEnable : texts.submitChange}
          </Button>
        </CardFoot>
      </Form>
    </Card>
  );
}
