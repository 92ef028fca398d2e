import type { Metadata } from 'next';
import { Overview } from '#app/_components/overview/overview.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { overview } from '#app/_texts/overview.ts';

export const metadata: Metadata = { title: overview.title };

export default function OverviewPage() {
  return (
    <Page crumbs={[{ label: overview.title }]}>
      <Overview />
    </Page>
  );
}
