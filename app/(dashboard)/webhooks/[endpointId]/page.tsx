import type { Metadata } from 'next';
import { EndpointPage } from '#app/_features/webhooks/endpoint-page.tsx';
import { webhooks } from '#app/_features/webhooks/words.ts';
import { settings } from '#server/settings.ts';

export const metadata: Metadata = { title: webhooks.title };

export default async function Endpoint({ params }: { params: Promise<{ endpointId: string }> }) {
  return <EndpointPage endpointId={(await params).endpointId} keptDays={settings.webhookRetentionDays} />;
}
