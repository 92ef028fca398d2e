import type { Metadata } from 'next';
import { Page } from '#app/_features/shell/page.tsx';
import { TryPage } from '#app/_features/try/try-page.tsx';
import { tryIt } from '#app/_features/try/words.ts';

export const metadata: Metadata = { title: tryIt.title };

export default function TryItPage() {
  return (
    <Page crumbs={[{ label: tryIt.title }]}>
      <TryPage />
    </Page>
  );
}
