import type { Metadata } from 'next';
import { AuditLog } from '#app/_features/admin/audit-log.tsx';
import { audit } from '#app/_features/admin/audit-words.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: audit.title };

export default function AuditPage() {
  return (
    <Page crumbs={[{ label: audit.title }]}>
      <PageHead title={audit.title} lead={audit.lead} />
      <AuditLog />
    </Page>
  );
}
