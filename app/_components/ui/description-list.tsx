import type { ReactNode } from 'react';

/** Names and values, line by line. `apart` puts the values, such as figures, at the end of their lines. */
export function DescriptionList({
  rows,
  apart = false,
}: {
  rows: readonly (readonly [name: string, value: ReactNode])[];
  apart?: boolean;
}) {
  return (
    <dl className="px-4 py-1.5 tabular-nums">
      {rows.map(([name, value]) => (
        <div
          key={name}
          className="flex min-h-9 items-center gap-3 border-line-soft py-1 text-13 [&+&]:border-t"
        >
          <dt className={apart ? 'flex-1 text-ink-2' : 'w-28 shrink-0 text-ink-3'}>{name}</dt>
          <dd className={apart ? '' : 'min-w-0 flex-1'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
