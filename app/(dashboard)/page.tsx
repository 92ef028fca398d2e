import { Overview } from '#app/_features/overview/overview.tsx';
import { overview } from '#app/_features/overview/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: overview.title };

export default pageOf(Overview, { label: overview.title });
