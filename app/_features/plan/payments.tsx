import { useQuery } from '@tanstack/react-query';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { day, Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { plan } from './words.ts';

const texts = plan.payments;
export const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

type Payment = Outputs['account']['payments'][number];

/** Recorded payments, newest first. */
export function Payments() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.account.payments.queryOptions());
  return (
    <Section title={texts.title} aside={data?.some(showsTime) ? <TimesIn /> : undefined}>
      <Failure error={error} retry={refetch} />
      {(data || !error) && (
        <Card>
          {!data && <SkeletonRows rows={2} />}
          {data?.length === 0 && <p className="px-4 py-3.5 text-13 text-ink-2">{texts.empty}</p>}
          {data && data.length > 0 && (
            <>
              <Table rows={data} />
              <ul className="md:hidden">
                {data.map((payment) => (
                  <NarrowPayment key={payment.id} payment={payment} />
                ))}
              </ul>
            </>
          )}
        </Card>
      )}
    </Section>
  );
}

/** A payment whose day is not recorded shows the time at which it was recorded. */
const showsTime = ({ paidOn }: Payment) => !paidOn;

/** When the payment arrived; otherwise when it was recorded, or the plan set without a payment. */
function When({ payment }: { payment: Payment }) {
  if (payment.paidOn) return texts.received(day(payment.paidOn));
  return (
    <>
      {payment.amountCents === null ? texts.enabled : texts.recorded}{' '}
      <Time at={payment.createdAt} seconds={false} />
    </>
  );
}

/** The amount in words; a plan can be enabled without a payment. */
export const amountOf = ({ amountCents }: Pick<Payment, 'amountCents'>) =>
  amountCents === null ? texts.noAmount : euros.format(amountCents / 100);

function Table({ rows }: { rows: Payment[] }) {
  const { columns } = texts;
  return (
    <table className="table max-md:hidden">
      <TableHead
        columns={[
          { title: columns.when, width: 260 },
          { title: columns.amount, width: 150, right: true },
          { title: columns.numbers, width: 80, right: true },
          { title: columns.until, width: 150 },
          { title: columns.reference },
          { title: columns.note },
        ]}
      />
      <tbody>
        {rows.map((payment) => (
          <tr key={payment.id}>
            <td>
              <When payment={payment} />
            </td>
            <td className="text-right">{amountOf(payment)}</td>
            <td className="text-right">{payment.numbersIncluded}</td>
            <td>{day(payment.paidUntil)}</td>
            <td className="text-ink-2">{payment.reference}</td>
            <td className="text-ink-2">{payment.note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A payment on narrow screens. `by` recorded it. */
export function NarrowPayment({ payment, by }: { payment: Payment; by?: string }) {
  return (
    <li className="border-line-soft px-4 py-3 text-13 [&+&]:border-t">
      <span className="flex justify-between gap-2">
        <b className="font-medium tabular-nums">{amountOf(payment)}</b>
        <span className="text-12 text-ink-3">
          <When payment={payment} />
        </span>
      </span>
      <span className="block text-ink-2">
        {texts.numbers(payment.numbersIncluded)} {texts.until(day(payment.paidUntil))}
      </span>
      <span className="block truncate text-12 text-ink-3">
        {[payment.reference, payment.note, by].filter(Boolean).join(', ')}
      </span>
    </li>
  );
}
