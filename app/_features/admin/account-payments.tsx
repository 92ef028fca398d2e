import { Card, Section } from '#app/_components/ui/card.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { day, Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { amountOf, NarrowPayment } from '#app/_features/plan/payments.tsx';
import type { AdminAccount } from './admin-account.ts';
import { admin } from './words.ts';

const texts = admin.account;

/** The day that was entered. A plan that was changed without a payment has none. */
const arrivedOn = ({ paidOn, amountCents }: AdminAccount['payments'][number]) =>
  paidOn ? day(paidOn) : amountCents === null ? '' : texts.noDay;

/** The payments of an account, and who recorded them. */
export function AccountPayments({ account: { payments } }: { account: AdminAccount }) {
  const { columns } = texts;
  return (
    <Section title={texts.payments}>
      <Card>
        {payments.length === 0 ? (
          <p className="px-4 py-3.5 text-13 text-ink-2">{texts.noPayments}</p>
        ) : (
          <>
            <ul className="md:hidden">
              {payments.map((payment) => (
                <NarrowPayment key={payment.id} payment={payment} by={payment.recordedByEmail ?? texts.cli} />
              ))}
            </ul>
            <div className="overflow-x-auto max-md:hidden">
              <table className="table min-w-[960px]">
                <TableHead
                  columns={[
                    { title: columns.date, width: 150 },
                    { title: columns.amount, width: 150, right: true },
                    { title: columns.numbers, width: 80, right: true },
                    { title: columns.until, width: 140 },
                    { title: columns.paidOn, width: 140 },
                    { title: columns.reference },
                    { title: columns.by, width: 190 },
                  ]}
                />
                <tbody>
                  {payments.map((payment) => (
                    <tr key={payment.id}>
                      <td>
                        <Time at={payment.createdAt} seconds={false} />
                      </td>
                      <td className="text-right">{amountOf(payment)}</td>
                      <td className="text-right">{payment.numbersIncluded}</td>
                      <td>{day(payment.paidUntil)}</td>
                      <td className="text-ink-2">{arrivedOn(payment)}</td>
                      <td className="whitespace-normal! text-ink-2 [overflow-wrap:anywhere]">
                        {payment.reference}
                        {payment.note && <span className="block text-12 text-ink-3">{payment.note}</span>}
                      </td>
                      <td className="whitespace-normal! text-ink-2 [overflow-wrap:anywhere]">
                        {payment.recordedByEmail ?? texts.cli}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </Card>
      {payments.length > 0 && <TimesIn className="text-12 text-ink-3" />}
    </Section>
  );
}
