import type { Metadata } from 'next';
import { KeysPage } from '#app/_components/keys/keys-page.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { keys } from '#app/_texts/keys.ts';

export const metadata: Metadata = { title: keys.title };

export default function ApiPage() {
  return (
    <Page crumbs={[{ label: keys.title }]}>
      <KeysPage />
    </Page>
  );
}
