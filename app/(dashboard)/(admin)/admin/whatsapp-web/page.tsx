import type { Metadata } from 'next';
import { BuildList } from '#app/_components/admin/build-list.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { builds } from '#app/_texts/builds.ts';

export const metadata: Metadata = { title: builds.title };

export default function WhatsAppWebPage() {
  return (
    <Page crumbs={[{ label: builds.title }]}>
      <BuildList />
    </Page>
  );
}
