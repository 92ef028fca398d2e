import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { SelectField } from '#app/_components/ui/select-field.tsx';
import { AmountField, centsOf } from '#app/_features/plan/plan-inputs.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { runningTerms } from '#server/core/access.ts';
import type { ListedAccount } from './admin-account.ts';
import { monthsAfter, today } from './months.ts';
import { admin } from './words.ts';

const texts = admin.renew;
const MONTHS = ['1', '3', '6', '12'] as const;
type Months = (typeof MONTHS)[number];

interface Props {
  accounts: readonly ListedAccount[];
  /** Euros a month for each number. */
  price: number;
  onDone: () => void;
}

/** Renews several plans for the same time, each with its own amount and reference. */
export function RenewDialog(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {texts.open(props.accounts.length)}
      </Button>
      {open && <RenewForm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function RenewForm({ accounts, price, onDone, onClose }: Props & { onClose: () => void }) {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const [months, setMonths] = useState<Months>('1');
  const renew = useMutation(
    trpc.admin.renew.mutationOptions({
      onSuccess: async ({ renewed }) => {
        await refresh();
        done(texts.done(renewed));
        onDone();
        onClose();
      },
    }),
  );
  const send = (given: FormData) => {
    const of = (field: string) => String(given.get(field) ?? '').trim();
    renew.mutate({
      paidOn: of('paidOn') || null,
      note: of('note'),
      renewals: accounts.map(({ accountId, plan: state, numbersIncluded, paidUntil }) => ({
        accountId,
        seen: runningTerms({ state, numbersIncluded, paidUntil }),
        paidUntil: of(`until ${accountId}`),
        amountCents: centsOf(of(`amount ${accountId}`)),
        reference: of(`reference ${accountId}`),
      })),
    });
  };
  return (
    <FormDialog
      wide
      onClose={() => {
        // Another administrator may have renewed some of them.
        if (renew.isError) void refresh();
        onClose();
      }}
      {...texts}
      title={texts.title(accounts.length)}
      text={texts.text(price)}
      busy={renew.isPending}
      error={renew.error}
      onSubmit={send}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        <SelectField
          label={texts.months}
          value={months}
          onChange={setMonths}
          options={MONTHS.map((value) => ({ value, label: texts.monthsOf(Number(value)) }))}
        />
        <InputField label={texts.paidOn} name="paidOn" type="date" defaultValue={today()} />
        <InputField label={texts.note} name="note" maxLength={200} autoComplete="off" />
      </div>
      <ul className="flex flex-col gap-3">
        {accounts.map((account) => (
          // A changed number of months changes the suggestion in each field.
          <Row
            key={`${account.accountId} ${months}`}
            account={account}
            months={Number(months)}
            price={price}
          />
        ))}
      </ul>
    </FormDialog>
  );
}

function Row({ account, months, price }: { account: ListedAccount; months: number; price: number }) {
  const { accountId, name, numbersIncluded } = account;
  const amount = (price * months * numbersIncluded).toFixed(2);
  return (
    <li>
      <fieldset className="rounded-3 border border-line px-3 pt-2 pb-3">
        <legend className="max-w-full truncate px-1 text-13 font-medium">
          {name} <span className="font-normal text-ink-3">{texts.numbers(numbersIncluded)}</span>
        </legend>
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
          <InputField
            label={texts.until}
            name={`until ${accountId}`}
            type="date"
            required
            defaultValue={monthsAfter(account.paidUntil, months)}
          />
          <AmountField label={texts.amount} name={`amount ${accountId}`} defaultValue={amount} />
          <InputField
            label={texts.reference}
            name={`reference ${accountId}`}
            maxLength={100}
            autoComplete="off"
          />
        </div>
      </fieldset>
    </li>
  );
}
