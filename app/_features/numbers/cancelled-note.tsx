import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { askOnServer } from './ask-on-server.ts';
import { cancelledHref, cancelledNote as texts } from './cancelled-words.ts';

/** What the last unlinking or change of the phone number cancelled. Rendered on the server. */
export async function CancelledNote({ numberId }: { numberId: string }) {
  const cancelled = await askOnServer((api) => api.numbers.cancelledLately({ numberId }));
  if (!cancelled?.oldest) return null;
  const { count, oldest, changed } = cancelled;
  return (
    <Note tone="mute">
      {texts.text(count, changed)}{' '}
      <Link href={cancelledHref(numberId, oldest)} className="font-medium text-brand-fg hover:underline">
        {texts.link(count)}
      </Link>
    </Note>
  );
}
