import { Section } from '#app/_components/ui/card.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { zoneName } from '#app/_components/ui/times-in.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { plan } from './words.ts';

const texts = plan.usage;

const FIGURES = [
  { of: 'sent', sign: MESSAGE_SIGNS.sent, label: texts.sent, help: texts.sentHelp },
  { of: 'failed', sign: MESSAGE_SIGNS.failed, label: texts.failed, help: texts.failedHelp },
  { of: 'unknown', sign: MESSAGE_SIGNS.unknown, label: texts.unknown, help: texts.unknownHelp },
  { of: 'notSent', sign: MESSAGE_SIGNS.cancelled, label: texts.notSent, help: texts.notSentHelp },
  { of: 'open', sign: MESSAGE_SIGNS.queued, label: texts.open, help: texts.openHelp },
] as const;

/** This month's messages by outcome. */
export function Usage({ usage }: { usage: Outputs['account']['usage'] | undefined }) {
  return (
    <Section
      title={usage ? texts.title(monthName(usage.month)) : <Skeleton className="h-4 w-40" />}
      aside={usage && texts.zone(zoneName(usage.timeZone))}
    >
      <dl
        aria-busy={!usage || undefined}
        className="card grid grid-cols-2 gap-px overflow-hidden rounded-4 border border-line bg-line-soft shadow-card sm:grid-cols-5 [&>div]:bg-raised max-sm:[&>div:last-child]:col-span-2"
      >
        {FIGURES.map(({ of, sign, label, help }) => (
          <div key={of} className="px-4 py-3.5">
            <dt className="flex items-center gap-1.5 text-12 text-ink-3">
              <StatusIcon {...sign} />
              {label}
            </dt>
            <dd className="mt-1 h-8 text-24 font-semibold tracking-[-0.03em] tabular-nums">
              {usage ? usage[of].toLocaleString('en') : <Skeleton className="mt-2 h-5 w-12" />}
            </dd>
            <dd className="mt-0.5 text-12 text-ink-3">{help}</dd>
          </div>
        ))}
      </dl>
      <p className="text-12 text-ink-3">{texts.free}</p>
    </Section>
  );
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-11` for display. */
function monthName(yearMonth: string): string {
  return month.format(new Date(`${yearMonth}-15T00:00:00Z`));
}
