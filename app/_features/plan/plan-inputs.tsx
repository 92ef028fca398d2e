import type { ComponentProps } from 'react';
import { InputField } from '#app/_components/ui/input-field.tsx';

type Given = Omit<ComponentProps<typeof InputField>, 'type'>;

/** How many numbers a plan includes. */
export function NumbersField(props: Given) {
  return <InputField {...props} name="numbers" type="number" min={1} max={10_000} step={1} required />;
}

/** What was paid, in euros. */
export function AmountField(props: Given) {
  return <InputField name="amount" {...props} type="number" min={0} step="0.01" inputMode="decimal" />;
}

/** What was typed there, in cents; null if nothing was. */
export const centsOf = (amount: string): number | null =>
  amount === '' ? null : Math.round(Number(amount) * 100);
