'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { MessageBadge, NumberBadge } from '#app/_components/ui/states.tsx';
import { duration } from '#app/_components/ui/time.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { NUMBER_NAMES, signOf } from '#server/core/number-sign.ts';
import { healthVerdict } from './health-verdict.ts';
import { operation } from './operation-words.ts';

const texts = operation.health;
/** Polled, because no stream reports changes of all accounts. */
const LOOK_MS = 3_000;
type Health = Outputs['admin']['health'];

const figure = (count: number) => count.toLocaleString('en');

/** Whether messages are sent as they should be, in words first and in figures below. */
export function HealthView() {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.admin.health.queryOptions(undefined, { refetchInterval: LOOK_MS, staleTime: 0 }),
  );
  return (
    <>
      <PageHead verdict {...(data ? healthVerdict(data) : { title: texts.title })} />
      <Failure error={error} />
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
      {health.troubles.length > 0 && (
        <div className="flex flex-col gap-3">
          {health.troubles.map(({ kind, count }) => (
            <Note
              key={kind}
              tone={kind === 'no_worker' ? 'fail' : 'warn'}
              title={texts.troubles[kind].title(count)}
            >
              {texts.troubles[kind].text}
              {kind === 'search_waits' && <Writers writers={health.searchWaitsFor} />}
            </Note>
          ))}
        </div>
      )}
      <Owners health={health} />
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

/** The database sessions that the index of the search waits for. */
function Writers({ writers }: { writers: Health['searchWaitsFor'] }) {
  return (
    <ul>
      {writers.map(({ openSeconds, ...writer }) => (
        <li key={writer.pid}>
          {texts.writer(writer, openSeconds === null ? null : duration(openSeconds * 1000))}
        </li>
      ))}
    </ul>
  );
}

/** What waits for the owners of numbers, with links to their accounts. */
function Owners({ health: { away, needPerson, undecided, unclear } }: { health: Health }) {
  if (needPerson + undecided.messages + unclear.messages === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {needPerson > 0 && (
        <Note tone="warn" title={texts.away(needPerson)}>
          <ul>
            {away.map((row) => (
              <OwnedNumber key={row.numberId} number={row} says={NUMBER_NAMES[row.status]} />
            ))}
            {needPerson > away.length && <li>{texts.more(needPerson - away.length)}</li>}
          </ul>
        </Note>
      )}
      {undecided.messages > 0 && (
        <Decisions title={texts.undecided(undecided.messages)} text={texts.undecidedText} of={undecided} />
      )}
      {unclear.messages > 0 && (
        <Decisions title={texts.unclear(unclear.messages)} text={texts.unclearText} of={unclear} />
      )}
    </div>
  );
}

/** Messages that wait for a person, and some of their numbers. */
function Decisions({ title, text, of }: { title: string; text: string; of: Health['undecided'] }) {
  return (
    <Note tone="warn" title={title}>
      <p>{text}</p>
      <ul>
        {of.numbers.map((row) => (
          <OwnedNumber key={row.numberId} number={row} says={texts.waitingOn(row.messages)} />
        ))}
      </ul>
    </Note>
  );
}

function OwnedNumber({
  number,
  says,
}: {
  number: Health['away'][number] | Health['undecided']['numbers'][number];
  says: string;
}) {
  return (
    <li>
      {number.name},{' '}
      <Link href={`/admin/accounts/${number.accountId}`} className="text-brand-fg hover:underline">
        {number.accountName}
      </Link>
      : {says}
    </li>
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
