import type { Metadata } from 'next';
import { account } from '#app/_features/account/words.ts';
import { PlanPage } from '#app/_features/plan/plan-page.tsx';
import { plan } from '#app/_features/plan/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: plan.title };

export default function AccountPlanPage() {
  return (
    <Page crumbs={[{ label: account.title, href: '/account' }, { label: plan.title }]}>
      <PlanPage />
    </Page>
  );
}
