import type { Metadata } from 'next';
import { NewNumber } from '#app/_components/numbers/new-number.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { newNumber } from '#app/_texts/new-number.ts';
import { numbers } from '#app/_texts/numbers.ts';

export const metadata: Metadata = { title: newNumber.title };

export default function NewNumberPage() {
  return (
    <Page crumbs={[{ label: numbers.title, href: '/numbers' }, { label: newNumber.title }]}>
      <NewNumber />
    </Page>
  );
}
