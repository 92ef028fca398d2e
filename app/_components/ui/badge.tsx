import clsx from 'clsx';
import type { ReactNode } from 'react';
import { type Shape, StatusIcon, type Tone } from './status-icon.tsx';

/** A state with icon, word and tint. */
export function Badge({
  tone,
  shape,
  spin = false,
  children,
}: {
  tone: Tone;
  shape?: Shape;
  spin?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx(
        `tone-${tone}`,
        'inline-flex h-[22px] items-center gap-1.5 whitespace-nowrap rounded-full bg-tone-bg pr-2 align-middle text-12 font-medium text-tone-fg tabular-nums shadow-[inset_0_0_0_1px_var(--ln)] [--cut:var(--bg)]',
        shape ? 'pl-1.5' : 'pl-2',
      )}
    >
      {shape && <StatusIcon shape={shape} spin={spin} />}
      {children}
    </span>
  );
}

/** A small label beside a name: what kind of thing it is. */
export function Tag({
  tone = 'mute',
  mono = false,
  className,
  children,
}: {
  tone?: Tone;
  mono?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx(
        `tone-${tone}`,
        'inline-flex h-[18px] items-center whitespace-nowrap rounded-1 bg-tone-bg px-1.5 text-11 font-medium text-tone-fg',
        mono && 'font-mono text-[10.5px] tracking-normal',
        className,
      )}
    >
      {children}
    </span>
  );
}
