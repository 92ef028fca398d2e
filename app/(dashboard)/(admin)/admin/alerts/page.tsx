import type { Metadata } from 'next';
import { AllAlerts } from '#app/_features/admin/all-alerts.tsx';
import { admin } from '#app/_features/admin/words.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: admin.alerts.title };

export default function AlertsPage() {
  return (
    <Page crumbs={[{ label: admin.alerts.title }]}>
      <PageHead title={admin.alerts.title} lead={admin.alerts.lead} />
      <AllAlerts />
    </Page>
  );
}
