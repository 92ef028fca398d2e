import clsx from 'clsx';
import { Tag } from '#app/_components/ui/badge.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import Link from '#app/_components/ui/link.tsx';
import { NumberBadge } from '#app/_components/ui/states.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { duration, useNow } from '#app/_components/ui/time.tsx';
import { common } from '#app/_components/ui/words.ts';
import {
  asksToDecide,
  isLinkable,
  type NumberItem,
  unwellFor,
  wordsOf,
} from '#app/_features/numbers/number-sentence.ts';
import { numbers as numberTexts } from '#app/_features/numbers/words.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { needsSomebody, stopOf } from '#server/core/number-sign.ts';
import { movingOf, queueMs } from '#server/core/number-status-text.ts';
import { overview } from './words.ts';

const { table: texts, waiting: waitingTexts } = overview;
type Data = Outputs['account']['overview'];

const OUTCOMES = ['sent', 'failed', 'refused', 'unknown', 'expired', 'cancelled'] as const;
type Outcome = (typeof OUTCOMES)[number];
type Counts = Record<Outcome, number>;

/** Rare outcomes: they have a column only on a day that has one. */
const RARE: readonly Outcome[] = ['expired', 'cancelled'];
const linkOf = (of: Outcome, numberId: string): string =>
  of === 'refused'
    ? `/requests?show=refused&number=${numberId}`
    : `/messages?number=${numberId}${of === 'sent' ? '' : `&status=${of}`}`;
const TONES: Partial<Record<Outcome, string>> = {
  failed: 'tone-fail text-tone-fg font-medium',
  refused: 'tone-warn text-tone-fg font-medium',
  unknown: 'tone-warn text-tone-fg font-medium',
};

/** The column of what waits needs more room beside the columns of rare outcomes. */
const waitingClass = (outcomes: readonly Outcome[]) =>
  outcomes.length + RARE.length > OUTCOMES.length ? '@max-[1080px]:hidden' : '@max-[900px]:hidden';

/** Each number: its state, what it did since midnight, what waits, and what to do next. */
export function TodayTable({ numbers, data }: { numbers: NumberItem[]; data: Data }) {
  const counted = new Map(data.numbers.map((figures) => [figures.numberId, figures]));
  const refused = new Map(data.refused.map(({ numberId, count }) => [numberId, count]));
  const rows = numbers.map((number) => {
    const { sent = 0, failed = 0, unknown = 0, expired = 0, cancelled = 0 } = counted.get(number.id) ?? {};
    const counts: Counts = {
      ...{ sent, failed, unknown, expired, cancelled },
      refused: refused.get(number.id) ?? 0,
    };
    return { number, counts };
  });
  const total = (of: Outcome) => rows.reduce((sum, { counts }) => sum + counts[of], 0);
  const outcomes = OUTCOMES.filter((of) => !RARE.includes(of) || total(of) > 0);
  return (
    <Section title={texts.title} aside={texts.aside}>
      <Card className="@container">
        <table className="table max-md:hidden">
          <TableHead
            columns={[
              { title: texts.number },
              { title: texts.state, width: 180 },
              ...outcomes.map((of) => ({
                ...{ title: texts[of], width: 76, right: true },
                help: of === 'sent' ? undefined : texts.help[of],
              })),
              { title: texts.waiting, width: 150, className: waitingClass(outcomes) },
              { title: <span className="sr-only">{texts.next}</span>, width: 130 },
            ]}
          />
          <tbody>
            {rows.map(({ number, counts }) => (
              <Row key={number.id} number={number} counts={counts} outcomes={outcomes} />
            ))}
          </tbody>
          {rows.length > 1 && (
            <tfoot>
              <tr className="font-medium [&>td]:border-t [&>td]:border-line-soft">
                <td>{texts.all}</td>
                <td />
                {outcomes.map((of) => (
                  <td key={of} className="text-right tabular-nums">
                    {total(of).toLocaleString('en')}
                  </td>
                ))}
                <td
                  className={clsx(
                    'whitespace-normal! text-13 font-normal text-ink-2',
                    waitingClass(outcomes),
                  )}
                >
                  {waitingHelp(numbers)}
                </td>
                <td />
              </tr>
            </tfoot>
          )}
        </table>
        <ul className="md:hidden">
          {rows.map(({ number, counts }) => (
            <NarrowRow key={number.id} number={number} counts={counts} outcomes={outcomes} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

interface RowProps {
  number: NumberItem;
  counts: Counts;
  /** The outcomes that have a column. */
  outcomes: readonly Outcome[];
}

function Row({ number, counts, outcomes }: RowProps) {
  const now = useNow(10_000);
  const words = wordsOf(number, now);
  const since = unwellFor(number, now);
  return (
    <tr>
      <td className="h-[56px]!">
        <NumberName number={number} />
        {number.phoneText !== number.name && (
          <span className="block text-12 text-ink-3 tabular-nums">{number.phoneText}</span>
        )}
      </td>
      <td>
        <NumberBadge sign={words.sign} />
        {since !== null && (
          <span className="mt-0.5 block text-12 text-ink-3 tabular-nums">
            {numberTexts.page.lasted(since)}
          </span>
        )}
      </td>
      {outcomes.map((of) => (
        <td key={of} className="text-right tabular-nums">
          <Count of={of} count={counts[of]} number={number} />
        </td>
      ))}
      <td className={clsx('whitespace-normal! text-13 text-ink-2', waitingClass(outcomes))}>
        {words.waiting}
      </td>
      <td className="text-right">
        <NextStep number={number} />
      </td>
    </tr>
  );
}

function NumberName({ number }: { number: NumberItem }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link href={`/numbers/${number.id}`} className="truncate font-medium hover:underline">
        {number.name}
      </Link>
      {number.network === 'sandbox' && <Tag>{common.sandbox}</Tag>}
    </span>
  );
}

/** A count that leads to what was counted. */
function Count({ of, count, number }: { of: Outcome; count: number; number: NumberItem }) {
  const text = count.toLocaleString('en');
  if (count === 0) return <span className="text-ink-3">{text}</span>;
  return (
    <Link
      href={linkOf(of, number.id)}
      aria-label={texts.shown(count, texts[of].toLowerCase(), number.name)}
      className={clsx('hover:underline', TONES[of])}
    >
      {text}
    </Link>
  );
}

function NarrowRow({ number, counts, outcomes }: RowProps) {
  const now = useNow(10_000);
  const words = wordsOf(number, now);
  return (
    <li className="flex flex-col gap-2 border-line-soft px-4 py-3.5 [&+&]:border-t">
      <div className="flex items-center justify-between gap-2">
        <NumberName number={number} />
        <NumberBadge sign={words.sign} />
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-13">
        {outcomes.map((of) => (
          <div key={of} className="flex gap-1.5">
            <dt className="text-ink-3">{texts[of]}</dt>
            <dd className="tabular-nums">
              <Count of={of} count={counts[of]} number={number} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex items-center justify-between gap-2 text-13 text-ink-2">
        <span>{words.waiting}</span>
        <NextStep number={number} />
      </div>
    </li>
  );
}

/** What a person can do about the number now. */
function NextStep({ number }: { number: NumberItem }) {
  const link = (href: string, label: string) => (
    <ButtonLink size="small" href={href}>
      {label}
    </ButtonLink>
  );
  if (number.status === 'LINKING' || number.status === 'SYNCING')
    return link(`/numbers/${number.id}/link`, numberTexts.page.continueLinking);
  if (isLinkable(number) && number.access === 'ok')
    return link(
      `/numbers/${number.id}/link`,
      number.phoneNumber === null ? numberTexts.page.link : numberTexts.page.linkAgain,
    );
  if (needsSomebody(number) || asksToDecide(number)) return link(`/numbers/${number.id}`, texts.open);
  if (number.network === 'sandbox') return link(`/sandbox/${number.id}`, numberTexts.page.openPhone);
  return null;
}

/** When all queues will be empty, or what the remaining messages wait for. */
export function waitingHelp(numbers: readonly NumberItem[]): string {
  const waiting = numbers.reduce((sum, number) => sum + number.waiting, 0);
  if (waiting === 0) return waitingTexts.nothing;
  const leaves = numbers.filter((number) => stopOf(number) === null && queueMs(number) > 0);
  const stops = numbers.filter((number) => number.waiting > 0 && !leaves.includes(number));
  if (leaves.length > 0) {
    const time = duration(Math.max(...leaves.map(queueMs)));
    const leaving = leaves.reduce((sum, number) => sum + movingOf(number), 0);
    return leaving === waiting
      ? waitingTexts.emptyIn(time)
      : waitingTexts.emptyButStopped(time, (waiting - leaving).toLocaleString('en'));
  }
  if (stops.every((number) => stopOf(number) === null)) {
    if (stops.some(({ toDecide }) => toDecide > 0)) return waitingTexts.toDecide;
    if (stops.every(({ keptBack }) => keptBack === 0)) return waitingTexts.scheduled;
    return stops.every(({ scheduled }) => scheduled === 0) ? waitingTexts.toNewPeople : waitingTexts.later;
  }
  const unconnected = stops.every((number) => stopOf(number) === 'status');
  return unconnected ? waitingTexts.unconnected(stops.length > 1) : waitingTexts.stopped;
}
