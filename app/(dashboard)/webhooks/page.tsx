import { pageOf } from '#app/_features/shell/page-of.tsx';
import { WebhooksPage } from '#app/_features/webhooks/webhooks-page.tsx';
import { webhooks } from '#app/_features/webhooks/words.ts';

export const metadata = { title: webhooks.title };

export default pageOf(WebhooksPage, { label: webhooks.title });
