import { PeoplePage } from '#app/_features/account/people-page.tsx';
import { people } from '#app/_features/account/people-words.ts';
import { account } from '#app/_features/account/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: people.title };

export default pageOf(PeoplePage, { label: account.title, href: '/account' }, { label: people.title });
