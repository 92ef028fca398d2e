import type { Metadata } from 'next';
import { AccountList } from '#app/_features/admin/account-list.tsx';
import { admin } from '#app/_features/admin/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: admin.accounts.title };

export default function AccountsPage() {
  return (
    <Page crumbs={[{ label: admin.accounts.title }]}>
      <AccountList />
    </Page>
  );
}
