import type { Metadata } from 'next';
import { AccountTabs } from '#app/_features/account/account-tabs.tsx';
import { ChangePassword } from '#app/_features/account/change-password.tsx';
import { Personal } from '#app/_features/account/personal.tsx';
import { Profile } from '#app/_features/account/profile.tsx';
import { SecondFactor } from '#app/_features/account/second-factor.tsx';
import { SignIns } from '#app/_features/account/sign-ins.tsx';
import { account } from '#app/_features/account/words.ts';
import { MailTimes } from '#app/_features/alerts/mail-times.tsx';
import { Page, PageHead } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: account.title };

export default function YourAccountPage() {
  return (
    <Page crumbs={[{ label: account.title }]}>
      <PageHead title={account.title} lead={account.lead} />
      <AccountTabs />
      <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-7">
          <Profile />
          <Personal>
            <ChangePassword />
          </Personal>
        </div>
        <Personal>
          <div className="flex min-w-0 flex-col gap-7">
            <SecondFactor />
            <SignIns />
            <MailTimes />
          </div>
        </Personal>
      </div>
    </Page>
  );
}
