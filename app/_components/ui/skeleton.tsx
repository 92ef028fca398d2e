import clsx from 'clsx';
import { common } from './words.ts';

/** Placeholder for a line of text, with its size. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={clsx('skeleton', className)} />;
}

/** Placeholder for the rows of a list. `label`: shown above them. */
export function SkeletonRows({ rows, label }: { rows: number; label?: string | undefined }) {
  return (
    <div role="status" aria-busy="true" aria-label={label ?? common.loading} className="w-full px-4 py-1.5">
      {label !== undefined && <p className="py-2 text-13 text-ink-3">{label}</p>}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
        <div key={row} className="flex h-10 items-center gap-3 border-line-soft [&+&]:border-t">
          <Skeleton className="size-3.5 rounded-full!" />
          <Skeleton className={clsx('h-2.5', row % 2 ? 'w-[122px]' : 'w-[104px]')} />
          <Skeleton className={clsx('h-2.5 shrink', row % 3 ? 'w-[140px]' : 'w-[96px]')} />
          <Skeleton className="ml-auto h-2.5 w-12" />
        </div>
      ))}
    </div>
  );
}
