import type { Metadata } from 'next';
import { admin } from '#app/_features/admin/words.ts';
import { WorkerList } from '#app/_features/admin/worker-list.tsx';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: admin.workers.title };

export default function WorkersPage() {
  return (
    <Page crumbs={[{ label: admin.workers.title }]}>
      <WorkerList />
    </Page>
  );
}
