import Link from '#app/_components/ui/link.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { useFilters } from './use-filters.ts';

const texts = {
  repeats: 'Repeat of',
  sentAgainAs: 'Sent again as',
  laterSent: {
    content: 'A later message to this recipient with the same content was sent:',
    reference: 'A later message to this recipient with the same reference was sent:',
  },
};

/** The message that this one repeats, those that it was sent again as, and a later one like it that was sent. Loads on demand: few messages have any. */
export default function MessageRepeats({
  message: { repeats, sentAgainAs, laterSent },
}: {
  message: Pick<Outputs['messages']['get'], 'repeats' | 'sentAgainAs' | 'laterSent'>;
}) {
  const [, , query] = useFilters();
  const lines = [
    ...(repeats === null ? [] : [[texts.repeats, repeats] as const]),
    ...sentAgainAs.map((id) => [texts.sentAgainAs, id] as const),
    ...(laterSent === null ? [] : [[texts.laterSent[laterSent.same], laterSent.id] as const]),
  ];
  return lines.map(([what, id]) => (
    <p key={id} className="mt-2 flex flex-wrap gap-x-1.5 text-13 text-ink-2">
      <span>{what}</span>
      <Link
        href={`/messages/${id}${query}`}
        scroll={false}
        className="truncate font-mono text-12 leading-5 font-medium text-brand-fg hover:underline"
      >
        {id}
      </Link>
    </p>
  ));
}
