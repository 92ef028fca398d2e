import { AccountList } from '#app/_features/admin/account-list.tsx';
import { admin } from '#app/_features/admin/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: admin.accounts.title };

export default pageOf(AccountList, { label: admin.accounts.title });
