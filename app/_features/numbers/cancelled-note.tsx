import { headers } from 'next/headers';
import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { dashboardContext } from '#server/dashboard/handle.ts';
import { callerOf } from '#server/dashboard/router.ts';
import { cancelledHref, cancelledNote as texts } from './cancelled-words.ts';

/** What the last unlinking or change of the phone number cancelled. Rendered on the server. */
export async function CancelledNote({ numberId }: { numberId: string }) {
  const context = await dashboardContext(await headers());
  // The layout sends signed-out visitors to the sign-in page, and the page says that a number is missing.
  if (!context.user) return null;
  const cancelled = await callerOf(context)
    .numbers.cancelledLately({ numberId })
    .catch(() => null);
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
