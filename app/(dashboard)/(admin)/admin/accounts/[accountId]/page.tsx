import type { Metadata } from 'next';
import { AccountPage } from '#app/_components/admin/account-page.tsx';
import { admin } from '#app/_texts/admin.ts';

export const metadata: Metadata = { title: admin.accounts.title };

export default async function Page({ params }: { params: Promise<{ accountId: string }> }) {
  return <AccountPage accountId={(await params).accountId} />;
}
