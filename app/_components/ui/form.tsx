import type { ComponentProps } from 'react';

/** A form that passes on its values, unless it is `busy` with the last ones. */
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
