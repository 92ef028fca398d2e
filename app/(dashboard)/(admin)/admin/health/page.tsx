import type { Metadata } from 'next';
import { HealthView } from '#app/_components/admin/health-view.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { operation } from '#app/_texts/operation.ts';

export const metadata: Metadata = { title: operation.health.title };

export default function HealthPage() {
  return (
    <Page crumbs={[{ label: operation.health.title }]}>
      <HealthView />
    </Page>
  );
}
