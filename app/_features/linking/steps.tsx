import clsx from 'clsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import type { NumberStatus } from '#server/core/number-state.ts';
import type { Linking, Way } from './linking.ts';
import { stepList } from './step-list.ts';

const SIGNS = {
  done: { shape: 'done', tone: 'ok' },
  now: { shape: 'quarter', tone: 'brand' },
  todo: { shape: 'ring', tone: 'mute' },
} as const;

/** The progress of linking: code, phone, chats, connected. */
export function Steps({
  linking,
  status,
  way,
}: {
  linking: Linking | undefined;
  status: NumberStatus;
  way: Way;
}) {
  return (
    <ol className="card grid rounded-4 border border-line bg-raised shadow-card md:grid-cols-4">
      {stepList(linking, status, way).map(({ name, hint, place: here }) => (
        <li
          key={name}
          aria-current={here === 'now' ? 'step' : undefined}
          className={clsx(
            'relative flex gap-2.5 border-line-soft px-4 py-3 max-md:py-2.5 md:[&+&]:border-l max-md:[&+&]:border-t',
            here === 'now' &&
              'after:absolute after:bg-brand-solid after:content-[""] max-md:after:-inset-y-px max-md:after:-left-px max-md:after:w-0.5 md:after:-inset-x-px md:after:-bottom-px md:after:h-0.5',
          )}
        >
          <StatusIcon {...SIGNS[here]} size={16} className="mt-0.5" />
          <div className="flex flex-1 flex-col max-md:flex-row max-md:items-baseline max-md:justify-between">
            <b className={clsx('text-13 font-medium', here === 'todo' && 'text-ink-3')}>{name}</b>
            <small className="text-12 text-ink-3 tabular-nums">{hint}</small>
          </div>
        </li>
      ))}
    </ol>
  );
}
