import type { Metadata } from 'next';
import { AccountSettingsPage } from '#app/_features/account/settings-page.tsx';
import { account } from '#app/_features/account/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: account.settings.title };

export default function SettingsPage() {
  return (
    <Page crumbs={[{ label: account.title, href: '/account' }, { label: account.settings.title }]}>
      <AccountSettingsPage />
    </Page>
  );
}
