import type { Metadata } from 'next';
import { NumberList } from '#app/_components/numbers/number-list.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { numbers } from '#app/_texts/numbers.ts';

export const metadata: Metadata = { title: numbers.title };

export default function NumbersPage() {
  return (
    <Page crumbs={[{ label: numbers.title }]}>
      <NumberList />
    </Page>
  );
}
