import type { Metadata } from 'next';
import { HowToPayForm } from '#app/_components/admin/how-to-pay-form.tsx';
import { Page, PageHead } from '#app/_components/shell/page.tsx';
import { admin } from '#app/_texts/admin.ts';
import { plan } from '#app/_texts/plan.ts';

export const metadata: Metadata = { title: plan.howToPay.title };

export default function HowToPayPage() {
  return (
    <Page crumbs={[{ label: admin.accounts.title, href: '/admin/accounts' }, { label: plan.howToPay.title }]}>
      <PageHead title={plan.howToPay.title} lead={plan.howToPay.lead} />
      <HowToPayForm />
    </Page>
  );
}
