import { pageOf } from '#app/_features/shell/page-of.tsx';
import { TryPage } from '#app/_features/try/try-page.tsx';
import { tryIt } from '#app/_features/try/words.ts';

export const metadata = { title: tryIt.title };

export default pageOf(TryPage, { label: tryIt.title });
