import type { Metadata } from 'next';
import { AccountList } from '#app/_components/admin/account-list.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { admin } from '#app/_texts/admin.ts';

export const metadata: Metadata = { title: admin.accounts.title };

export default function AccountsPage() {
  return (
    <Page crumbs={[{ label: admin.accounts.title }]}>
      <AccountList />
    </Page>
  );
}
