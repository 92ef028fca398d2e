import type { Metadata } from 'next';
import { AccountSettingsPage } from '#app/_components/account/settings-page.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { account } from '#app/_texts/account.ts';

export const metadata: Metadata = { title: account.settings.title };

export default function SettingsPage() {
  return (
    <Page crumbs={[{ label: account.title, href: '/account' }, { label: account.settings.title }]}>
      <AccountSettingsPage />
    </Page>
  );
}
