import { admin } from '#app/_features/admin/words.ts';
import { WorkerList } from '#app/_features/admin/worker-list.tsx';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: admin.workers.title };

export default pageOf(WorkerList, { label: admin.workers.title });
