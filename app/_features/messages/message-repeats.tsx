import Link from '#app/_components/ui/link.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { useFilters } from './use-filters.ts';

const texts = { repeats: 'Repeat of', sentAgainAs: 'Sent again as' };

/** The message that this one repeats, and those that it was sent again as. Loads on demand: few messages have any. */
export default function MessageRepeats({
  message: { repeats, sentAgainAs },
}: {
  message: Pick<Outputs['messages']['get'], 'repeats' | 'sentAgainAs'>;
}) {
  const [, , query] = useFilters();
  const lines = [
    ...(repeats === null ? [] : [[texts.repeats, repeats] as const]),
    ...sentAgainAs.map((id) => [texts.sentAgainAs, id] as const),
  ];
  return lines.map(([what, id]) => (
    <p key={id} className="mt-2 flex gap-1.5 text-13 text-ink-2">
      <span className="shrink-0">{what}</span>
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
