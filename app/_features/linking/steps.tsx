'use client';

import clsx from 'clsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import type { NumberStatus } from '#server/core/number-state.ts';
import type { Linking, Way } from './linking.ts';
import { linking as texts } from './words.ts';

type Place = 'done' | 'now' | 'todo';

const SIGNS = {
  done: { shape: 'done', tone: 'ok' },
  now: { shape: 'quarter', tone: 'brand' },
  todo: { shape: 'ring', tone: 'mute' },
} as const;

/** The progress of linking: code, phone, sync, connected. */
export function Steps({
  linking,
  status,
  way,
}: {
  linking: Linking | undefined;
  status: NumberStatus;
  way: Way;
}) {
  const { steps } = texts;
  const shown = linking?.qr != null || linking?.pairingCode != null;
  const at = status === 'CONNECTED' ? 4 : status === 'SYNCING' ? 2 : shown ? 1 : 0;
  const started = linking?.open === true || at > 0;
  const place = (index: number): Place => {
    if (index < at) return 'done';
    return index === at && started ? 'now' : 'todo';
  };
  const list: [string, string][] = [
    [steps.code, place(0) === 'done' ? steps.codeReady : steps.codeWaiting],
    [way === 'qr' ? steps.scan : steps.enter, place(1) === 'done' ? steps.done : steps.waiting],
    [steps.sync, syncHint(place(2), linking?.syncPercent)],
    [steps.connected, steps.connectedHint],
  ];
  return (
    <ol className="card grid rounded-4 border border-line bg-raised shadow-card md:grid-cols-4">
      {list.map(([name, hint], index) => {
        const here = place(index);
        return (
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
              <small className="text-12 text-ink-3 tabular-nums">
                {here === 'todo' && index === 1 ? steps.next : hint}
              </small>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function syncHint(place: Place, percent: number | null | undefined): string {
  if (place === 'done') return texts.steps.done;
  return place === 'now' && percent != null ? texts.steps.syncPercent(percent) : texts.steps.syncHint;
}
