import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { minuteOf, useNow } from '#app/_components/ui/time.tsx';
import { useLiveness } from '#app/_trpc/live.tsx';
import { shell } from './words.ts';

const texts = shell.away;
/** A restarting server is back within this time, so nothing is shown. */
const PATIENCE_MS = 8_000;

/** Over the page, so that nothing moves: since when the page is outdated, and what to do. */
export function AwayNote() {
  const { staleSince, offline, refused } = useLiveness();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-5 z-30 flex justify-center px-4 max-md:bottom-[84px] md:pl-[236px]"
    >
      {staleSince && <StaleNote since={staleSince} offline={offline} refused={refused} />}
    </div>
  );
}

function StaleNote({ since, offline, refused }: { since: Date; offline: boolean; refused: string | null }) {
  const now = useNow();
  if (!offline && now.getTime() - since.getTime() < PATIENCE_MS) return null;
  const at = minuteOf(since);
  const [said, more] = offline
    ? [texts.offline(at), texts.offlineText]
    : refused === null
      ? [texts.server(at), texts.serverText]
      : [texts.refused(at), refused];
  return (
    <div className="tone-warn flex max-w-[560px] items-start gap-2.5 rounded-4 border border-tone-line bg-overlay px-4 py-3 text-13 shadow-pop">
      <StatusIcon shape="warning" className="mt-[3px]" />
      <p>
        <b className="font-medium">{said}</b> <span className="text-ink-2">{more}</span>
      </p>
    </div>
  );
}
