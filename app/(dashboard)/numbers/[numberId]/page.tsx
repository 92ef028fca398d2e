import type { Metadata } from 'next';
import { CancelledNote } from '#app/_features/numbers/cancelled-note.tsx';
import { NumberPage } from '#app/_features/numbers/number-page.tsx';
import { RequestsNote } from '#app/_features/numbers/requests-note.tsx';
import { RestoredNote } from '#app/_features/numbers/restored-note.tsx';
import { numbers } from '#app/_features/numbers/words.ts';

export const metadata: Metadata = { title: numbers.title };

export default async function Page({ params }: { params: Promise<{ numberId: string }> }) {
  const { numberId } = await params;
  return (
    <NumberPage
      numberId={numberId}
      notes={
        <>
          <RestoredNote numberId={numberId} />
          <RequestsNote numberId={numberId} />
          <CancelledNote numberId={numberId} />
        </>
      }
    />
  );
}
