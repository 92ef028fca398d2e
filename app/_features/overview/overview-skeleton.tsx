import { Card } from '#app/_components/ui/card.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { common } from '#app/_components/ui/words.ts';

/** The overview while its figures are counted: a card for each number, which are already known. */
export function OverviewSkeleton({ numbers }: { numbers: number }) {
  return (
    <div role="status" aria-busy="true" aria-label={common.loading} className="flex flex-col gap-7">
      <div>
        <Skeleton className="h-8 w-[280px] max-w-full" />
        <Skeleton className="mt-2 h-4 w-[420px] max-w-full" />
      </div>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Array.from({ length: numbers }, (_, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all cards are alike
          <Card key={number} className="flex h-[316px] flex-col gap-3 p-4">
            <Skeleton className="h-4 w-28" />
            <Skeleton className="h-3 w-36" />
            <Skeleton className="mt-2 h-[22px] w-24 rounded-full!" />
            <Skeleton className="h-3 w-full" />
            <Skeleton className="mt-5 h-7 w-full" />
            <Skeleton className="mt-auto h-8 w-full" />
          </Card>
        ))}
      </div>
    </div>
  );
}
