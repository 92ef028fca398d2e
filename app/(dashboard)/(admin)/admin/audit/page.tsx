import type { Metadata } from 'next';
import { AuditLog } from '#app/_features/admin/audit-log.tsx';
import { admin } from '#app/_features/admin/words.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: admin.audit.title };

export default function AuditPage() {
  return (
    <Page crumbs={[{ label: admin.audit.title }]}>
      <PageHead title={admin.audit.title} lead={admin.audit.lead} />
      <AuditLog />
    </Page>
  );
}
