import type { Metadata } from 'next';
import { Overview } from '#app/_features/overview/overview.tsx';
import { overview } from '#app/_features/overview/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: overview.title };

export default function OverviewPage() {
  return (
    <Page crumbs={[{ label: overview.title }]}>
      <Overview />
    </Page>
  );
}
