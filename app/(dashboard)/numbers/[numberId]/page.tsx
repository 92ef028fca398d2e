import type { Metadata } from 'next';
import { NumberPage } from '#app/_features/numbers/number-page.tsx';
import { numbers } from '#app/_features/numbers/words.ts';

export const metadata: Metadata = { title: numbers.title };

export default async function Page({ params }: { params: Promise<{ numberId: string }> }) {
  return <NumberPage numberId={(await params).numberId} />;
}
