import type { ReactNode } from 'react';

/** An entry of a list for the administrator: what it is, its figures, and an action. */
export function FactRow({
  facts,
  columns = '',
  children,
  action,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Classes that align the figures of all rows. */
  columns?: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-line-soft px-4 py-3.5 text-13 [&+&]:border-t">
      <div className="flex min-w-0 flex-1 basis-[240px] flex-col items-start gap-1.5">{children}</div>
      <dl className={`flex flex-wrap gap-x-6 gap-y-2 tabular-nums ${columns}`}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-12 text-ink-3">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {action}
    </li>
  );
}
