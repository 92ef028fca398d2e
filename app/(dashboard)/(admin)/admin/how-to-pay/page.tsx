import type { Metadata } from 'next';
import { HowToPayForm } from '#app/_features/admin/how-to-pay-form.tsx';
import { admin } from '#app/_features/admin/words.ts';
import { plan } from '#app/_features/plan/words.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: plan.howToPay.title };

export default function HowToPayPage() {
  return (
    <Page crumbs={[{ label: admin.accounts.title, href: '/admin/accounts' }, { label: plan.howToPay.title }]}>
      <PageHead title={plan.howToPay.title} lead={plan.howToPay.lead} />
      <HowToPayForm />
    </Page>
  );
}
