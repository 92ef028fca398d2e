import type { ComponentProps } from 'react';

/** A form that passes its values to `onSubmit`, except while the last submission is `busy`. */
export function Form({
  busy,
  onSubmit,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { busy: boolean; onSubmit: (values: FormData) => void }) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit(new FormData(event.currentTarget));
      }}
    />
  );
}
