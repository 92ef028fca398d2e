import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time, useNow } from '#app/_components/ui/time.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { countedSince, health as texts } from './health-words.ts';
import type { NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

/** A number's health at WhatsApp. */
export function HealthCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.numbers.health.queryOptions({ numberId: number.id }));
  return (
    <Section title={numbers.page.health}>
      <Card>
        {data ? (
          <HealthStanding health={data} connected={number.status === 'CONNECTED'} />
        ) : error ? (
          <Failure error={error} retry={refetch} className="m-4" />
        ) : (
          <SkeletonRows rows={4} />
        )}
      </Card>
    </Section>
  );
}

type Health = Outputs['numbers']['health'];

const SIGNS = {
  good: { tone: 'tone-ok', shape: 'done' },
  watch: { tone: 'tone-warn', shape: 'warning' },
  limited: { tone: 'tone-fail', shape: 'cross' },
  unknown: { tone: 'tone-mute', shape: 'dashed' },
} as const;

/** One sentence, what to do, and the figures that WhatsApp may look at, as bars. */
function HealthStanding({ health, connected }: { health: Health; connected: boolean }) {
  const { level, sentence, todo, newContacts, timelock, lately, linkedAt } = health;
  const { limit, nextAt, used, budget } = newContacts;
  const since = countedSince(linkedAt, useNow(60_000));
  // A number that is refused or unlinked is not well, even if no figure says so.
  const unknown = !connected && level === 'good';
  const { tone, shape } = SIGNS[unknown ? 'unknown' : level];
  const endless = limit === 'timelock' && timelock?.until === null;
  return (
    <>
      <div className={`${tone} flex items-start gap-2.5 px-4 pt-3.5 pb-1 text-13 [--cut:var(--raised)]`}>
        <StatusIcon shape={shape} className="mt-[3px] shrink-0" />
        <p className="min-w-0">
          {unknown ? texts.notConnected : sentence}
          {todo && <span className="mt-1 block text-ink-2">{todo}</span>}
        </p>
      </div>
      <dl className="grid grid-cols-1 gap-x-8 gap-y-4 px-4 pt-3 pb-4 text-13 tabular-nums sm:grid-cols-3">
        <Figure name={texts.newPeople} part={used} whole={budget} full={budget !== null && used >= budget}>
          {budget === null ? texts.noBudget(used) : texts.budget(used, budget)}
        </Figure>
        <Figure name={texts.newShare} part={lately.newPeople} whole={lately.people}>
          {texts.newOf(lately.newPeople, lately.people, since)}
        </Figure>
        <Figure
          name={texts.notTaken}
          part={lately.notTaken}
          whole={lately.messages}
          full={lately.notTaken > 0}
        >
          {texts.notTakenOf(lately.notTaken, lately.messages, since)}
        </Figure>
      </dl>
      <p className="flex flex-wrap justify-between gap-x-4 border-t border-line-soft px-4 py-2.5 text-12 text-ink-3">
        <span>
          {texts.linked} {linkedAt ? <Time at={linkedAt} ago /> : texts.never}
        </span>
        {nextAt && limit && (
          <span>
            {texts.limits[limit]} {endless ? texts.noEnd : <Time at={nextAt} seconds={false} />}
          </span>
        )}
      </p>
    </>
  );
}

/** A part of a whole as a bar; without a whole, no bar. `full` draws it as a warning. */
function Figure({
  name,
  part,
  whole,
  full = false,
  children,
}: {
  name: string;
  part: number;
  whole: number | null;
  full?: boolean;
  children: ReactNode;
}) {
  const share = whole ? Math.min(1, part / whole) : 0;
  return (
    <div className="flex flex-col">
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="order-last mt-1.5">{children}</dd>
      <span
        aria-hidden="true"
        className={clsx(
          'mt-1.5 h-1.5 overflow-hidden rounded-full bg-mute-bg',
          whole === null && 'invisible',
        )}
      >
        <span
          className={clsx('block h-full rounded-full', full ? 'tone-warn bg-tone-solid' : 'bg-brand-solid')}
          style={{ width: `${share * 100}%`, minWidth: part > 0 && whole ? 4 : 0 }}
        />
      </span>
    </div>
  );
}
