import { useQuery } from '@tanstack/react-query';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import type { NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

const loading = <SkeletonRows rows={4} />;
const HealthStanding = lazyPart(() => import('./health-standing.tsx'), loading);

/** A number's health at WhatsApp. */
export function HealthCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.numbers.health.queryOptions({ numberId: number.id }));
  return (
    <Section title={numbers.page.health}>
      <Card>
        {data ? (
          <HealthStanding health={data} connected={number.status === 'CONNECTED'} />
        ) : error ? (
          <Failure error={error} retry={refetch} className="m-4" />
        ) : (
          loading
        )}
      </Card>
    </Section>
  );
}
