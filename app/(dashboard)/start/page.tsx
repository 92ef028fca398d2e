import { FirstMessage } from '#app/_features/first-message/first-message.tsx';
import { firstMessage } from '#app/_features/first-message/words.ts';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: firstMessage.title };

export default pageOf(FirstMessage, { label: firstMessage.title });
