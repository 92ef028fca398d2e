'use client';

import type { ReactNode } from 'react';
import { Section } from '#app/_components/ui/card.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { waitingHelp } from './waiting-help.ts';
import { overview } from './words.ts';

const texts = overview.today;
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** The outcomes of today's messages on all numbers. */
export function Today({
  numbers,
  figures,
}: {
  numbers: NumberItem[];
  figures: Outputs['account']['overview']['numbers'];
}) {
  const sum = (of: 'sent' | 'delivered' | 'failed' | 'unknown') =>
    figures.reduce((total, number) => total + number[of], 0);
  const sent = sum('sent');
  const waiting = numbers.reduce((total, number) => total + number.waiting, 0);
  const sandbox = numbers.some((number) => number.network === 'sandbox');
  return (
    <Section title={texts.title} aside={sandbox ? texts.asideSandbox : texts.aside}>
      <dl className="card grid grid-cols-2 rounded-4 border border-line bg-raised shadow-card sm:grid-cols-4 [&>div]:border-line-soft max-sm:[&>div:nth-child(even)]:border-l max-sm:[&>div:nth-child(n+3)]:border-t sm:[&>div+div]:border-l">
        <Figure
          sign={<StatusIcon shape="check" tone="ok" />}
          label={texts.sent}
          count={sent}
          help={sent === 0 ? texts.noneSent : texts.delivered(percent.format(sum('delivered') / sent))}
        />
        <Figure
          sign={<StatusIcon shape="cross" tone="fail" />}
          label={texts.failed}
          count={sum('failed')}
          help={texts.failedHelp}
        />
        <Figure
          sign={<StatusIcon shape="question" tone="warn" />}
          label={texts.unknown}
          count={sum('unknown')}
          help={texts.unknownHelp}
        />
        <Figure
          sign={<StatusIcon shape="dashed" tone="wait" />}
          label={texts.waiting}
          count={waiting}
          help={waitingHelp(numbers)}
        />
      </dl>
    </Section>
  );
}

function Figure({
  sign,
  label,
  count,
  help,
}: {
  sign: ReactNode;
  label: string;
  count: number;
  help: string;
}) {
  return (
    <div className="px-4 py-3.5">
      <dt className="flex items-center gap-1.5 text-12 text-ink-3">
        {sign}
        {label}
      </dt>
      <dd className="mt-1 text-24 font-semibold tracking-[-0.03em] tabular-nums">
        {count.toLocaleString('en')}
      </dd>
      <dd className="mt-0.5 text-12 text-ink-3 tabular-nums">{help}</dd>
    </div>
  );
}
