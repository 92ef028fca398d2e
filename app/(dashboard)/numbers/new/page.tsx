import type { Metadata } from 'next';
import { NewNumber } from '#app/_features/numbers/new-number.tsx';
import { newNumber } from '#app/_features/numbers/new-number-words.ts';
import { numbers } from '#app/_features/numbers/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: newNumber.title };

export default function NewNumberPage() {
  return (
    <Page crumbs={[{ label: numbers.title, href: '/numbers' }, { label: newNumber.title }]}>
      <NewNumber />
    </Page>
  );
}
