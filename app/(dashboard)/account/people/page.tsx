import type { Metadata } from 'next';
import { PeoplePage } from '#app/_components/account/people-page.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { account } from '#app/_texts/account.ts';
import { people } from '#app/_texts/people.ts';

export const metadata: Metadata = { title: people.title };

export default function AccountPeoplePage() {
  return (
    <Page crumbs={[{ label: account.title, href: '/account' }, { label: people.title }]}>
      <PeoplePage />
    </Page>
  );
}
