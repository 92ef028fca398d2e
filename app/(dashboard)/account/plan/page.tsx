import { account } from '#app/_features/account/words.ts';
import { PlanPage } from '#app/_features/plan/plan-page.tsx';
import { plan } from '#app/_features/plan/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: plan.title };

export default pageOf(PlanPage, { label: account.title, href: '/account' }, { label: plan.title });
