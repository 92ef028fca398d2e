import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import type { NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

const HealthStanding = lazy(() => import('./health-standing.tsx'));

/** A number's health at WhatsApp. */
export function HealthCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.numbers.health.queryOptions({ numberId: number.id }));
  const loading = <SkeletonRows rows={4} />;
  return (
    <Section title={numbers.page.health}>
      <Card>
        {data ? (
          <Suspense fallback={loading}>
            <HealthStanding health={data} connected={number.status === 'CONNECTED'} />
          </Suspense>
        ) : (
          loading
        )}
      </Card>
    </Section>
  );
}
