import { type ReactNode, useId } from 'react';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { StatusIcon } from './status-icon.tsx';

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
