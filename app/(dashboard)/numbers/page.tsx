import type { Metadata } from 'next';
import { NumberList } from '#app/_features/numbers/number-list.tsx';
import { numbers } from '#app/_features/numbers/words.ts';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: numbers.title };

export default function NumbersPage() {
  return (
    <Page crumbs={[{ label: numbers.title }]}>
      <NumberList />
    </Page>
  );
}
