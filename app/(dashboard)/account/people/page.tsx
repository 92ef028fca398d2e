import type { Metadata } from 'next';
import { PeoplePage } from '#app/_features/account/people-page.tsx';
import { people } from '#app/_features/account/people-words.ts';
import { account } from '#app/_features/account/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: people.title };

export default function AccountPeoplePage() {
  return (
    <Page crumbs={[{ label: account.title, href: '/account' }, { label: people.title }]}>
      <PeoplePage />
    </Page>
  );
}
