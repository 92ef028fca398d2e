import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

/** A labelled {@link Input}. */
export function InputField({
  label,
  help,
  error,
  ...input
}: Omit<ComponentProps<typeof Field>, 'children'> & ComponentProps<typeof Input>) {
  return (
    <Field label={label} help={help} error={error}>
      {(tie) => <Input {...tie} {...input} />}
    </Field>
  );
}
