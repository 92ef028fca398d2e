import clsx from 'clsx';
import type { ReactNode } from 'react';
import { StatusIcon } from './status-icon.tsx';

/** What an action ends, then what stays. */
export function Consequences({
  ends,
  stays,
  className,
}: {
  ends: readonly ReactNode[];
  stays: readonly ReactNode[];
  className?: string;
}) {
  return (
    <ul className={clsx('grid gap-2 text-13', className)}>
      {[...ends, ...stays].map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of sentences
        <li key={index} className="flex gap-[9px]">
          <StatusIcon
            {...(index < ends.length ? { shape: 'slash', tone: 'mute' } : { shape: 'done', tone: 'ok' })}
            className="mt-[3px]"
          />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
