import type { Metadata } from 'next';
import { AllAlerts } from '#app/_components/admin/all-alerts.tsx';
import { Page, PageHead } from '#app/_components/shell/page.tsx';
import { admin } from '#app/_texts/admin.ts';

export const metadata: Metadata = { title: admin.alerts.title };

export default function AlertsPage() {
  return (
    <Page crumbs={[{ label: admin.alerts.title }]}>
      <PageHead title={admin.alerts.title} lead={admin.alerts.lead} />
      <AllAlerts />
    </Page>
  );
}
