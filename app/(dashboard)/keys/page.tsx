import { KeysPage } from '#app/_features/keys/keys-page.tsx';
import { keys } from '#app/_features/keys/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: keys.title };

export default pageOf(KeysPage, { label: keys.title });
