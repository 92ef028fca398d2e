import clsx from 'clsx';
import type { ComponentProps } from 'react';

export const INPUT =
  'flex h-8 w-full min-w-0 items-center gap-2 rounded-3 border border-control bg-[light-dark(var(--raised),var(--sunken))] px-2.5 text-13 ' +
  'focus-visible:border-focus focus-visible:outline-none focus-visible:ring-3 focus-visible:ring-[color-mix(in_oklab,var(--focus)_22%,transparent)] ' +
  'aria-invalid:border-fail-solid disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-off max-md:h-10 max-md:text-16';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={clsx(INPUT, className)} />;
}
