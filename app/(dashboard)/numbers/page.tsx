import { NumberList } from '#app/_features/numbers/number-list.tsx';
import { numbers } from '#app/_features/numbers/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: numbers.title };

export default pageOf(NumberList, { label: numbers.title });
