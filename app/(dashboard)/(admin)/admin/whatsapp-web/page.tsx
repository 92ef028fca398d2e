import type { Metadata } from 'next';
import { BuildList } from '#app/_features/admin/build-list.tsx';
import { builds } from '#app/_features/admin/build-words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: builds.title };

export default function WhatsAppWebPage() {
  return (
    <Page crumbs={[{ label: builds.title }]}>
      <BuildList />
    </Page>
  );
}
