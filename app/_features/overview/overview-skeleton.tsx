import { Card } from '#app/_components/ui/card.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { common } from '#app/_components/ui/words.ts';

/** The overview while its figures are counted: a row for each number, which are already known. */
export function OverviewSkeleton({ numbers }: { numbers: number }) {
  return (
    <div role="status" aria-busy="true" aria-label={common.loading} className="flex flex-col gap-7">
      <div>
        <Skeleton className="h-8 w-[280px] max-w-full" />
        <Skeleton className="mt-2 h-4 w-[420px] max-w-full" />
      </div>
      <Card className="flex flex-col gap-6 p-4">
        {Array.from({ length: numbers + 1 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
          <Skeleton key={row} className="h-8 w-full" />
        ))}
      </Card>
      <Skeleton className="h-[300px] w-full" />
    </div>
  );
}
