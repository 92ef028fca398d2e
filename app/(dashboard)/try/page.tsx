import type { Metadata } from 'next';
import { Page } from '#app/_components/shell/page.tsx';
import { TryPage } from '#app/_components/try/try-page.tsx';
import { tryIt } from '#app/_texts/try-it.ts';

export const metadata: Metadata = { title: tryIt.title };

export default function TryItPage() {
  return (
    <Page crumbs={[{ label: tryIt.title }]}>
      <TryPage />
    </Page>
  );
}
