import { day } from '#app/_components/ui/time.tsx';
import { addDays } from '#server/core/access.ts';

/** What stops when a plan that ends soon is not paid, and when. */
export function planEnding({ paidUntil, graceDays }: { paidUntil: string; graceDays: number }): string {
  return `The plan is paid until ${day(paidUntil)}. Without a payment, sending stops at the end of ${day(addDays(paidUntil, graceDays))}.`;
}
