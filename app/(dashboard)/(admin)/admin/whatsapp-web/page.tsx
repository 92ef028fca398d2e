import { BuildList } from '#app/_features/admin/build-list.tsx';
import { builds } from '#app/_features/admin/build-words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: builds.title };

export default pageOf(BuildList, { label: builds.title });
