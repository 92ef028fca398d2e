import type { Metadata } from 'next';
import { RequestsPage } from '#app/_features/requests/requests-page.tsx';
import { requests } from '#app/_features/requests/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: requests.title };

export default function Requests() {
  return (
    <Page crumbs={[{ label: requests.title }]}>
      <RequestsPage />
    </Page>
  );
}
