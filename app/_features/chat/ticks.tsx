import clsx from 'clsx';
import type { Ack } from './ack.ts';
import { chat as texts } from './words.ts';

/** The ticks below a message, as in WhatsApp. */
export function Ticks({ ack, className }: { ack: Ack; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 11"
      role="img"
      aria-label={texts.acks[ack]}
      className={clsx('tick', ack === 3 && 'tick-read', className)}
    >
      {ack === 0 && (
        <>
          <circle cx="8" cy="5.5" r="4.4" />
          <path d="M8 3.2v2.4l1.5 1" />
        </>
      )}
      {ack === 'failed' && <path d="M5 2.5l6 6M11 2.5l-6 6" />}
      {ack === 'unknown' && <path d="M6.2 3.4A1.9 1.9 0 1 1 8.9 5.1C8.2 5.5 8 5.8 8 6.5M8 8.9v.1" />}
      {ack === 1 && <path d="M4 6l2.6 2.7L12 2.3" />}
      {(ack === 2 || ack === 3) && <path d="M1 6l2.6 2.7L9.2 2.3M7 8.2l.5.5 6-6.4" />}
    </svg>
  );
}
