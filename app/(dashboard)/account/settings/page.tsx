import { AccountSettingsPage } from '#app/_features/account/settings-page.tsx';
import { account } from '#app/_features/account/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: account.settings.title };

export default pageOf(
  AccountSettingsPage,
  { label: account.title, href: '/account' },
  { label: account.settings.title },
);
