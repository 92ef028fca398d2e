import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { askOnServer } from './ask-on-server.ts';
import { restoredHref, restoredNote as texts } from './restored-words.ts';

/** How many messages a restore left unknown and expired. Rendered on the server. */
export async function RestoredNote({ numberId }: { numberId: string }) {
  const restored = await askOnServer((api) => api.numbers.restoredLately({ numberId }));
  if (!restored) return null;
  const lines = (['unknown', 'expired'] as const).flatMap((status) => {
    const { count, oldest, newest } = restored[status];
    return oldest && newest
      ? [
          {
            status,
            count,
            href: restoredHref({ numberId, status }, oldest, newest),
            text: status === 'unknown' ? texts.unknown(count) : texts.expired(count, restored.expired.moved),
          },
        ]
      : [];
  });
  const { missing } = restored;
  if (lines.length === 0 && !missing) return null;
  return (
    <Note tone="warn">
      {missing && (
        <p>
          {texts.backup} <Time at={new Date(missing.madeAt)} />
          {texts.missing(missing.lost)}
        </p>
      )}
      {lines.map(({ status, count, href, text }) => (
        <p key={status}>
          {text}{' '}
          <Link href={href} className="font-medium text-brand-fg hover:underline">
            {texts.link(count)}
          </Link>
        </p>
      ))}
    </Note>
  );
}
