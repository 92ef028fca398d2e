import type { Metadata } from 'next';
import { LinkingPage } from '#app/_features/linking/linking-page.tsx';
import { linking } from '#app/_features/linking/words.ts';

export const metadata: Metadata = { title: linking.crumb };

export default async function Page({ params }: { params: Promise<{ numberId: string }> }) {
  return <LinkingPage numberId={(await params).numberId} />;
}
