import clsx from 'clsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import type { ShownContent } from '#server/core/message.ts';
import type { Ack } from './ack.ts';
import { formatted } from './formatted.tsx';
import { Ticks } from './ticks.tsx';

// Most messages are texts.
const Inside = lazyPart(
  () => import('#app/_features/kinds/inside.tsx'),
  <div className="h-[94px] w-[220px]" />,
);

/** A message as it looks on a phone. Outgoing with `ack`, incoming without. */
export function Bubble({
  content,
  file = null,
  bytes,
  time,
  ack,
  tail = false,
}: {
  content: ShownContent;
  file?: string | null;
  bytes?: number | undefined;
  time: string;
  ack?: Ack;
  tail?: boolean;
}) {
  const out = ack !== undefined;
  const media = content.type !== 'text' && content.type !== 'audio';
  const meta = (extra?: string) => (
    <span className={clsx('bubble-meta', extra)}>
      {time} {out && <Ticks ack={ack} />}
    </span>
  );
  return (
    <div
      className={clsx(
        'bubble',
        out ? 'bubble-out' : 'bubble-in',
        tail && 'bubble-tail',
        media && 'bubble-media',
      )}
    >
      {content.type === 'text' ? (
        <>
          <span dir="auto">{formatted(content.body)}</span>
          {meta()}
        </>
      ) : (
        <Inside content={content} file={file} bytes={bytes} meta={meta} />
      )}
    </div>
  );
}
