import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import Link from '#app/_components/ui/link.tsx';
import { day, Time } from '#app/_components/ui/time.tsx';
import { AmountField, centsOf, NumbersField } from '#app/_features/plan/plan-inputs.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { monthsAfter, today } from './months.ts';
import { UntilField } from './until-field.tsx';
import { admin } from './words.ts';

const texts = admin.requests;
type PlanRequest = Outputs['admin']['planRequests'][number];

/** Customers who ask for a plan, each with a button that enables it. Renders nothing without a request. */
export function PlanRequests({ price }: { price: number }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.admin.planRequests.queryOptions());
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data || data.length === 0) return null;
  return (
    <Section title={texts.title}>
      <Card>
        <ul>
          {data.map((request) => (
            <Row key={request.accountId} request={request} price={price} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Row({ request, price }: { request: PlanRequest; price: number }) {
  const { accountId, accountName, numbers, contact, note, createdAt } = request;
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const [enabling, setEnabling] = useState(false);
  const dismiss = useMutation(
    trpc.admin.dismissPlanRequest.mutationOptions({
      onSuccess: async () => {
        await refresh();
        done(texts.dismissed(accountName));
      },
      onError: failed,
    }),
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line-soft px-4 py-3 text-13 [&+&]:border-t">
      <div className="min-w-0 flex-1 basis-64">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Link href={`/admin/accounts/${accountId}`} className="font-medium hover:underline">
            {accountName}
          </Link>
          <span className="text-ink-2">{texts.wants(numbers)}</span>
          <Time at={createdAt} seconds={false} className="text-12 text-ink-3" />
        </span>
        <p className="text-12 text-ink-2">{texts.contact(contact)}</p>
        {note && <p className="text-12 text-ink-2">{texts.note(note)}</p>}
      </div>
      <div className="flex gap-2">
        <Button
          busy={dismiss.isPending}
          aria-label={texts.dismissOf(accountName)}
          onClick={() => dismiss.mutate({ accountId })}
        >
          {texts.dismiss}
        </Button>
        <Button variant="primary" aria-label={texts.enableOf(accountName)} onClick={() => setEnabling(true)}>
          {texts.enable}
        </Button>
      </div>
      {enabling && <EnableDialog request={request} price={price} onClose={() => setEnabling(false)} />}
    </li>
  );
}

function EnableDialog({
  request,
  price,
  onClose,
}: {
  request: PlanRequest;
  price: number;
  onClose: () => void;
}) {
  const { accountId, accountName, numbers, numbersIncluded, paidUntil } = request;
  // More numbers do not shorten what is paid for.
  const [until, setUntil] = useState(paidUntil && paidUntil > today() ? paidUntil : monthsAfter(null, 1));
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const enable = useMutation(
    trpc.admin.activatePlan.mutationOptions({
      onSuccess: async (saved) => {
        await refresh();
        done(admin.account.enabled(saved.paidUntil ? day(saved.paidUntil) : ''));
        onClose();
      },
    }),
  );
  const submit = (form: FormData) => {
    const of = (field: string) => String(form.get(field) ?? '').trim();
    const amount = of('amount');
    enable.mutate({
      accountId,
      numbersIncluded: Number(of('numbers')),
      paidUntil: until,
      amountCents: centsOf(amount),
      paidOn: amount === '' ? null : today(),
      note: '',
      reference: '',
      seen: { numbersIncluded: numbersIncluded ?? 0, paidUntil },
    });
  };
  return (
    <FormDialog
      onClose={() => {
        // Another administrator may have answered the request.
        if (enable.isError) void refresh();
        onClose();
      }}
      title={texts.dialog.title(accountName)}
      text={texts.dialog.text}
      submit={admin.account.submitEnable}
      busy={enable.isPending}
      error={enable.error}
      onSubmit={submit}
    >
      <NumbersField label={admin.account.numbers} defaultValue={numbers} />
      <UntilField paidUntil={paidUntil} value={until} onChange={setUntil} />
      <AmountField
        label={admin.account.amount}
        help={admin.account.amountHelp}
        placeholder={(price * numbers).toFixed(2)}
      />
    </FormDialog>
  );
}
