import type { Metadata } from 'next';
import { LinkingPage } from '#app/_features/linking/linking-page.tsx';
import { linking } from '#app/_features/linking/words.ts';
import { CancelledNote } from '#app/_features/numbers/cancelled-note.tsx';

export const metadata: Metadata = { title: linking.crumb };

export default async function Page({ params }: { params: Promise<{ numberId: string }> }) {
  const { numberId } = await params;
  return <LinkingPage numberId={numberId} cancelled={<CancelledNote numberId={numberId} />} />;
}
