import { NewNumber } from '#app/_features/numbers/new-number.tsx';
import { newNumber } from '#app/_features/numbers/new-number-words.ts';
import { numbers } from '#app/_features/numbers/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: newNumber.title };

export default pageOf(NewNumber, { label: numbers.title, href: '/numbers' }, { label: newNumber.title });
