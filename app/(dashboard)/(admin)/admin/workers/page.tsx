import type { Metadata } from 'next';
import { WorkerList } from '#app/_components/admin/worker-list.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { admin } from '#app/_texts/admin.ts';

export const metadata: Metadata = { title: admin.workers.title };

export default function WorkersPage() {
  return (
    <Page crumbs={[{ label: admin.workers.title }]}>
      <WorkerList />
    </Page>
  );
}
