import type { Metadata } from 'next';
import { FirstMessage } from '#app/_features/first-message/first-message.tsx';
import { firstMessage } from '#app/_features/first-message/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: firstMessage.title };

export default function StartPage() {
  return (
    <Page crumbs={[{ label: firstMessage.title }]}>
      <FirstMessage />
    </Page>
  );
}
