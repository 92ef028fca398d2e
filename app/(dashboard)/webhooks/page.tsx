import type { Metadata } from 'next';
import { Page } from '#app/_features/shell/page.tsx';
import { WebhooksPage } from '#app/_features/webhooks/webhooks-page.tsx';
import { webhooks } from '#app/_features/webhooks/words.ts';

export const metadata: Metadata = { title: webhooks.title };

export default function Webhooks() {
  return (
    <Page crumbs={[{ label: webhooks.title }]}>
      <WebhooksPage />
    </Page>
  );
}
