import clsx from 'clsx';

/** How far a message of ours came: 0 not yet, 1 the server has it, 2 on the phone, 3 read. */
export type Ack = 0 | 1 | 2 | 3;

const WORDS: Record<Ack, string> = { 0: 'Waiting', 1: 'Sent', 2: 'Delivered', 3: 'Read' };

/** The ticks beneath a message, as a messenger shows them. */
export function Ticks({ ack, className }: { ack: Ack; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 11"
      role="img"
      aria-label={WORDS[ack]}
      className={clsx('tick', ack === 3 && 'tick-read', className)}
    >
      {ack === 0 && (
        <>
          <circle cx="8" cy="5.5" r="4.4" />
          <path d="M8 3.2v2.4l1.5 1" />
        </>
      )}
      {ack === 1 && <path d="M4 6l2.6 2.7L12 2.3" />}
      {ack >= 2 && <path d="M1 6l2.6 2.7L9.2 2.3M7 8.2l.5.5 6-6.4" />}
    </svg>
  );
}

export function ackOf(value: number | undefined): Ack {
  if (value === undefined || value <= 0) return 0;
  return value >= 3 ? 3 : (value as 1 | 2);
}
