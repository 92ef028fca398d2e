'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import Link from '#app/_components/ui/link.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { MessageBadge, NumberBadge } from '#app/_components/ui/states.tsx';
import { duration } from '#app/_components/ui/time.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { signOf } from '#server/core/number-sign.ts';
import { HealthNotes } from './health-notes.tsx';
import { operation } from './operation-words.ts';

const texts = operation.health;
/** Polled, because no stream reports changes of all accounts. */
const LOOK_MS = 3_000;
type Health = Outputs['admin']['health'];

const figure = (count: number) => count.toLocaleString('en');

/** Whether messages are sent as they should be, in words first and in figures below. */
export function HealthView() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.admin.health.queryOptions(undefined, { refetchInterval: LOOK_MS, staleTime: 0 }),
  );
  return (
    <>
      <PageHead verdict {...(data ? healthVerdict(data) : { title: texts.title })} />
      <Failure error={error} retry={refetch} />
      {!data && !error && (
        <Card>
          <SkeletonRows rows={6} />
        </Card>
      )}
      {data && <Figures health={data} />}
    </>
  );
}

function Figures({ health }: { health: Health }) {
  return (
    <>
      <HealthNotes health={health} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {health.lanes.map((lane) => (
          <Card key={lane.lane} className="px-4 py-3.5">
            <h2 className="text-13 font-medium">{texts.lanes[lane.lane]}</h2>
            <dl className="mt-2 flex gap-10 tabular-nums">
              <Fact name={texts.waiting}>{figure(lane.waiting)}</Fact>
              <Fact name={texts.oldest}>
                {lane.waiting === 0 ? texts.none : duration(lane.oldestSeconds * 1000)}
              </Fact>
            </dl>
          </Card>
        ))}
      </div>
      <div className="grid grid-cols-1 items-start gap-x-4 gap-y-7 md:grid-cols-2">
        <States title={texts.now} help={texts.nowHelp} states={health.open} />
        <States title={texts.hour} help={texts.hourHelp} states={health.lastHour} />
      </div>
      <Refused health={health} />
      <Deepest health={health} />
      <Processes health={health} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="text-20 font-semibold tracking-[-0.02em]">{children}</dd>
    </div>
  );
}

function States({ title, help, states }: { title: string; help: string; states: Health['open'] }) {
  return (
    <Section title={title}>
      <Card>
        <p className="border-b border-line-soft px-4 py-2.5 text-12 text-ink-3">{help}</p>
        {states.length === 0 && <p className="px-4 py-3 text-13 text-ink-2">{texts.nothing}</p>}
        <ul>
          {states.map(({ status, count }) => (
            <li
              key={status}
              className="flex items-center justify-between gap-3 border-line-soft px-4 py-2.5 text-13 tabular-nums [&+&]:border-t"
            >
              <MessageBadge status={status as MessageStatus} />
              <span>{figure(count)}</span>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Refused({ health: { refused } }: { health: Health }) {
  return (
    <Section title={texts.refused}>
      <Card>
        <p className="border-b border-line-soft px-4 py-2.5 text-12 text-ink-3">{texts.refusedHelp}</p>
        {refused.length === 0 && <p className="px-4 py-3 text-13 text-ink-2">{texts.nothing}</p>}
        {refused.length > 0 && (
          <DescriptionList apart rows={refused.map(({ code, count }) => [code, figure(count)])} />
        )}
      </Card>
    </Section>
  );
}

function Deepest({ health: { deepest } }: { health: Health }) {
  return (
    <Section title={texts.deepest}>
      <Card>
        {deepest.length === 0 && <p className="px-4 py-3.5 text-13 text-ink-2">{texts.deepestNone}</p>}
        <ul aria-label={texts.deepest}>
          {deepest.map((row) => (
            <li
              key={row.numberId}
              className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-line-soft px-4 py-3 text-13 [&+&]:border-t"
            >
              <span className="min-w-0 flex-1 basis-[200px]">
                <b className="block font-medium">{row.name}</b>
                <Link
                  href={`/admin/accounts/${row.accountId}`}
                  className="block text-12 text-brand-fg hover:underline"
                >
                  {row.accountName}
                </Link>
              </span>
              {row.held && row.status !== 'CONNECTED' && <Tag>{texts.held}</Tag>}
              <NumberBadge sign={signOf({ access: 'ok', ...row })} />
              <span className="text-right tabular-nums max-sm:w-full max-sm:text-left">
                {texts.waitingOn(row.waiting)}
                <span className="block text-12 text-ink-3 max-sm:ml-2 max-sm:inline">
                  {texts.since(duration(row.oldestSeconds * 1000))}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Processes({ health }: { health: Health }) {
  const rows: [string, string][] = [
    [texts.web, figure(health.web)],
    [texts.workers, figure(health.workers)],
    [texts.listening, figure(health.listening)],
    ...health.jobs.map(({ queue, state, count }): [string, string] => [
      texts.job(texts.queues[queue], texts.jobStates[state] ?? state),
      figure(count),
    ]),
  ];
  return (
    <Section title={texts.processes}>
      <Card>
        <DescriptionList apart rows={rows} />
      </Card>
    </Section>
  );
}

type Judged = Pick<Health, 'noneCanSend' | 'needPerson' | 'troubles'> &
  Record<'undecided' | 'unclear', { messages: number }>;

/** Whether messages are sent as they should be, and what waits for a person, in a title and a sentence. */
export function healthVerdict(health: Judged): { title: string; lead?: string } {
  const { troubles, noneCanSend, needPerson, undecided, unclear } = health;
  if (troubles.length > 0) return { title: texts.unwell(troubles.length) };
  const messages = undecided.messages + unclear.messages;
  const decide = messages > 0 ? [texts.decide(messages)] : [];
  if (noneCanSend)
    return {
      title: [texts.noneCanSend, ...decide].join('. '),
      lead: texts.noneCanSendText,
    };
  const needs = [...(needPerson > 0 ? [texts.needOwner(needPerson)] : []), ...decide];
  return {
    title: needs.length === 0 ? texts.well : `${texts.working} ${needs.join(', ')}`,
    lead: texts.wellText(needPerson),
  };
}
