import { HealthView } from '#app/_features/admin/health-view.tsx';
import { operation } from '#app/_features/admin/operation-words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: operation.health.title };

export default pageOf(HealthView, { label: operation.health.title });
