import type { Metadata } from 'next';
import { AuditLog } from '#app/_components/admin/audit-log.tsx';
import { Page, PageHead } from '#app/_components/shell/page.tsx';
import { admin } from '#app/_texts/admin.ts';

export const metadata: Metadata = { title: admin.audit.title };

export default function AuditPage() {
  return (
    <Page crumbs={[{ label: admin.audit.title }]}>
      <PageHead title={admin.audit.title} lead={admin.audit.lead} />
      <AuditLog />
    </Page>
  );
}
