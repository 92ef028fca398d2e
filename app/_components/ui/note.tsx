import clsx from 'clsx';
import type { ReactNode } from 'react';
import { type Shape, StatusIcon, type Tone } from './status-icon.tsx';

const SHAPE_OF: Record<Tone, Shape> = {
  ok: 'done',
  wait: 'turning',
  warn: 'warning',
  fail: 'cross',
  mute: 'clock',
  brand: 'quarter',
};

/** A notice to read before continuing. `assertive`: it responds to the user's last action. */
export function Note({
  tone,
  title,
  children,
  action,
  assertive = false,
  className,
}: {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  assertive?: boolean;
  className?: string | undefined;
}) {
  return (
    <div
      role={assertive ? 'alert' : undefined}
      className={clsx(
        `tone-${tone}`,
        'flex items-start gap-3 rounded-4 bg-[color-mix(in_oklab,var(--bg)_70%,var(--raised))] px-4 py-3.5 shadow-[inset_0_0_0_1px_var(--ln)] [--cut:var(--bg)]',
        className,
      )}
    >
      <StatusIcon shape={SHAPE_OF[tone]} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        {title && <h3 className="text-tone-fg">{title}</h3>}
        {children && <div className="text-13 text-ink-2">{children}</div>}
        {action && <div className="mt-2.5 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
