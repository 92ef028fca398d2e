import type { Metadata } from 'next';
import { KeysPage } from '#app/_features/keys/keys-page.tsx';
import { keys } from '#app/_features/keys/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: keys.title };

export default function ApiPage() {
  return (
    <Page crumbs={[{ label: keys.title }]}>
      <KeysPage />
    </Page>
  );
}
