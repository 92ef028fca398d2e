import clsx from 'clsx';
import type { ReactNode } from 'react';

const disc = <circle cx="7" cy="7" r="6.5" fill="currentColor" />;
const ring = <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" />;
const cut = (path: ReactNode) => (
  <g className="cut" fill="none" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round">
    {path}
  </g>
);
const line = (d: string, width = 1.5) => (
  <path
    d={d}
    fill="none"
    stroke="currentColor"
    strokeWidth={width}
    strokeLinecap="round"
    strokeLinejoin="round"
  />
);
/** A ring filled to `percent`. */
const pie = (percent: number) => (
  <>
    {ring}
    <circle
      cx="7"
      cy="7"
      r="1.75"
      fill="none"
      stroke="currentColor"
      strokeWidth="3.5"
      pathLength="100"
      strokeDasharray={`${percent} 100`}
      transform="rotate(-90 7 7)"
    />
  </>
);

const SHAPES = {
  done: (
    <>
      {disc}
      {cut(<path d="M4.3 7.2 6.2 9.1 9.8 5.2" />)}
    </>
  ),
  cross: (
    <>
      {disc}
      {cut(<path d="M4.9 4.9l4.2 4.2M9.1 4.9 4.9 9.1" />)}
    </>
  ),
  question: (
    <>
      {disc}
      {cut(<path d="M5.3 5.5a1.75 1.75 0 1 1 2.6 1.6c-.6.3-.9.6-.9 1.1M7 10.3v.02" strokeWidth="1.4" />)}
    </>
  ),
  pause: (
    <>
      {disc}
      {cut(<path d="M5.4 4.9v4.2M8.6 4.9v4.2" />)}
    </>
  ),
  warning: (
    <>
      <path
        d="M6.05 1.35a1.1 1.1 0 0 1 1.9 0l5.3 9.4a1.1 1.1 0 0 1-.95 1.65H1.7a1.1 1.1 0 0 1-.95-1.65z"
        fill="currentColor"
      />
      <g className="cut" strokeWidth="1.6" strokeLinecap="round">
        <path d="M7 5v3M7 10.2v.02" />
      </g>
    </>
  ),
  elsewhere: (
    <>
      <rect x="4.9" y="4.9" width="8" height="8" rx="2.2" fill="currentColor" />
      {line('M9.4 2.4A1.6 1.6 0 0 0 7.8.95H2.6A1.65 1.65 0 0 0 .95 2.6v5.2c0 .85.63 1.53 1.45 1.62')}
    </>
  ),
  ring,
  dashed: (
    <circle
      cx="7"
      cy="7"
      r="5.75"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="2.2 2.3"
      strokeLinecap="round"
    />
  ),
  quarter: pie(25),
  half: pie(50),
  most: pie(70),
  turning: (
    <>
      {line('M12.6 6A5.75 5.75 0 0 0 2.4 3.6M1.4 8a5.75 5.75 0 0 0 10.2 2.4')}
      {line('M2.2 1.2v2.6h2.6M11.8 12.8v-2.6H9.2')}
    </>
  ),
  check: line('M2.2 7.6 5.4 10.8 11.8 3.8', 1.6),
  checks: line('M.6 7.8 3.6 10.8 9.6 4M6.6 10.4l.5.4L13.2 4', 1.6),
  clock: (
    <>
      {ring}
      {line('M7 4.2V7l1.9 1.3')}
    </>
  ),
  slash: (
    <>
      {ring}
      {line('M3.3 10.7 10.7 3.3')}
    </>
  ),
} as const satisfies Record<string, ReactNode>;

export type Shape = keyof typeof SHAPES;
export type Tone = 'ok' | 'wait' | 'warn' | 'fail' | 'mute' | 'brand';

/** The icon of a state. Its shape carries the meaning; the colour comes from the nearest `tone-…`. */
export function StatusIcon({
  shape,
  tone,
  size = 14,
  spin = false,
  className,
}: {
  shape: Shape;
  tone?: Tone;
  size?: number;
  spin?: boolean;
  className?: string;
}) {
  return (
    <svg
      viewBox="0 0 14 14"
      width={size}
      height={size}
      aria-hidden="true"
      className={clsx('status-icon', tone && `tone-${tone}`, spin && 'status-icon-spin', className)}
    >
      {SHAPES[shape]}
    </svg>
  );
}
