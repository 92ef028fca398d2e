import clsx from 'clsx';
import { common } from './words.ts';

/** Placeholder for a line of text, with its size. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={clsx('skeleton', className)} />;
}

/** Placeholder for the rows of a list. */
export function SkeletonRows({ rows }: { rows: number }) {
  return (
    <div role="status" aria-busy="true" aria-label={common.loading} className="px-4 py-1.5">
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
