'use client';

import clsx from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { StatusIcon } from './status-icon.tsx';

export const INPUT =
  'flex h-8 w-full min-w-0 items-center gap-2 rounded-3 border border-line-strong bg-[light-dark(var(--raised),var(--sunken))] px-2.5 text-13 ' +
  'focus-visible:border-focus focus-visible:outline-none focus-visible:ring-3 focus-visible:ring-[color-mix(in_oklch,var(--focus)_22%,transparent)] ' +
  'aria-invalid:border-fail-solid disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-off max-md:h-10 max-md:text-16';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={clsx(INPUT, className)} />;
}

/**
 * A labelled control with help below; an error replaces the help. The child is a function that gets the ids
 * that connect them for a screen reader.
 */
export function Field({
  label,
  help,
  error,
  children,
}: {
  label: ReactNode;
  help?: ReactNode;
  error?: unknown;
  children: (tie: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}) {
  const id = useId();
  const about = `${id}-about`;
  const described = error || help ? { 'aria-describedby': about } : {};
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      {children({ id, ...described, ...(error ? { 'aria-invalid': true as const } : {}) })}
      {error ? (
        <span id={about} role="alert" className="tone-fail flex items-start gap-1.5 text-12 text-tone-fg">
          <StatusIcon shape="cross" className="mt-px" />
          {sentenceOf(error)}
        </span>
      ) : (
        help && (
          <span id={about} className="text-12 text-ink-3">
            {help}
          </span>
        )
      )}
    </div>
  );
}
