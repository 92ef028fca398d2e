import type { Metadata } from 'next';
import { AccountPage } from '#app/_features/admin/account-page.tsx';
import { admin } from '#app/_features/admin/words.ts';

export const metadata: Metadata = { title: admin.accounts.title };

export default async function Page({ params }: { params: Promise<{ accountId: string }> }) {
  return <AccountPage accountId={(await params).accountId} />;
}
