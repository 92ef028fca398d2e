import type { ComponentProps } from 'react';
import { Input } from '#app/_components/ui/input.tsx';

type Given = Omit<ComponentProps<typeof Input>, 'type'>;

/** How many numbers a plan includes. */
export function NumbersInput(props: Given) {
  return <Input {...props} name="numbers" type="number" min={1} max={10_000} step={1} required />;
}

/** What was paid, in euros. */
export function AmountInput(props: Given) {
  return <Input name="amount" {...props} type="number" min={0} step="0.01" inputMode="decimal" />;
}

/** What was typed there, in cents; null if nothing was. */
export const centsOf = (amount: string): number | null =>
  amount === '' ? null : Math.round(Number(amount) * 100);
