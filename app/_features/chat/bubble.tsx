import clsx from 'clsx';
import type { ReactNode } from 'react';
import { INSIDE, type InsideProps } from '#app/_features/kinds/inside.tsx';
import type { MessageType, ShownContent } from '#server/core/message.ts';
import type { Ack } from './ack.ts';
import { Ticks } from './ticks.tsx';

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
  const Inside = INSIDE[content.type] as (props: InsideProps<MessageType>) => ReactNode;
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
      <Inside content={content} file={file} bytes={bytes} meta={meta} />
    </div>
  );
}
