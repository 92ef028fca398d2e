import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Select } from './select.tsx';

/** A labelled {@link Select}. */
export function SelectField<V extends string>({
  label,
  help,
  ...select
}: Omit<ComponentProps<typeof Field>, 'children' | 'error'> & ComponentProps<typeof Select<V>>) {
  return (
    <Field label={label} help={help}>
      {(tie) => <Select {...tie} {...select} />}
    </Field>
  );
}
