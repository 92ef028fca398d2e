import { RequestsPage } from '#app/_features/requests/requests-page.tsx';
import { requests } from '#app/_features/requests/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: requests.title };

export default pageOf(RequestsPage, { label: requests.title });
