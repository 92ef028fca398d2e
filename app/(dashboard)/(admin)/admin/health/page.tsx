import type { Metadata } from 'next';
import { HealthView } from '#app/_features/admin/health-view.tsx';
import { operation } from '#app/_features/admin/operation-words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: operation.health.title };

export default function HealthPage() {
  return (
    <Page crumbs={[{ label: operation.health.title }]}>
      <HealthView />
    </Page>
  );
}
