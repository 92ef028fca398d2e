import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface Column {
  title: ReactNode;
  /** Shown on hover. */
  help?: string | undefined;
  /** Without one, the column takes what the others leave. */
  width?: number | string;
  /** For figures and times. */
  right?: boolean;
  /** When it is hidden. */
  className?: string;
}

/** Widths and titles of a table’s columns. `className`: of both, for a table without columns on narrow screens. */
export function TableHead({ columns, className }: { columns: readonly Column[]; className?: string }) {
  return (
    <>
      <colgroup className={className}>
        {columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of columns
          <col key={at} className={column.className} style={{ width: column.width }} />
        ))}
      </colgroup>
      <thead className={className}>
        <tr>
          {columns.map(({ title, help, right, className: hidden }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of columns
            <th key={at} title={help} className={clsx(right && 'text-right!', hidden) || undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}
