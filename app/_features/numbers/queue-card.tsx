import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import Link from '#app/_components/ui/link.tsx';
import { NEEDS_DECISION } from '#app/_components/ui/state-words.ts';
import { duration, Time, useNow } from '#app/_components/ui/time.tsx';
import { KindIcon } from '#app/_features/kinds/kind-icon.tsx';
import { lineWithReference } from '#app/_features/kinds/kind-labels.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { cancelAll } from './cancel-all-words.ts';
import { type NumberItem, wordsOf } from './number-sentence.ts';
import { isDrawn } from './queue-scale.ts';
import { QueueStrip } from './queue-strip.tsx';
import { useCancelWaiting } from './use-number.ts';
import { numbers } from './words.ts';

const texts = numbers.queueCard;
const SHOWN = 8;
/** A message that leaves later than this shows the time instead of the wait. */
const HOUR_MS = 3_600_000;
type Row = Outputs['numbers']['queue'][number];

/** The queue of a number in sending order, with times, and buttons to cancel messages. */
export function QueueCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const [whole, setWhole] = useState(false);
  const now = useNow(10_000);
  const { data } = useQuery(
    trpc.numbers.queue.queryOptions({ numberId: number.id }, { enabled: number.waiting > 0 }),
  );
  const rows = number.waiting > 0 ? (data ?? []) : [];
  const shown = rows.slice(0, whole ? undefined : SHOWN);
  return (
    <Section title={numbers.page.queue}>
      <Card className="flex flex-col">
        <div className="flex items-center gap-4 px-4 py-3.5">
          <span className="text-24 font-semibold tracking-[-0.03em] tabular-nums">{number.waiting}</span>
          <p className="flex-1 text-13 text-ink-2">{wordsOf(number, now).queue}</p>
          {number.waiting > number.toDecide && <CancelAll number={number} />}
        </div>
        {isDrawn(rows) && <QueueStrip rows={rows} />}
        {shown.length > 0 && (
          <ol className="border-t border-line-soft py-1">
            {shown.map((row) => (
              <QueueRow key={row.id} row={row} numberId={number.id} />
            ))}
          </ol>
        )}
        {rows.length > SHOWN && (
          <CardFoot>
            <span className="tabular-nums">{texts.shown(shown.length, number.waiting)}</span>
            <Button variant="ghost" size="small" className="-my-1 -mr-1.5" onClick={() => setWhole(!whole)}>
              {whole ? texts.fewer : texts.all}
            </Button>
          </CardFoot>
        )}
      </Card>
    </Section>
  );
}

function whenOf({ setAside, inMs, scheduled }: Row): ReactNode {
  if (setAside) return NEEDS_DECISION;
  if (inMs === null) return scheduled ? texts.scheduled : texts.waits;
  if (inMs >= HOUR_MS) return <Time at={new Date(Date.now() + inMs)} seconds={false} />;
  return inMs < 1000 ? texts.next : texts.inAbout(duration(inMs));
}

function QueueRow({ row, numberId }: { row: Row; numberId: string }) {
  const cancel = useCancelWaiting();
  return (
    <li className="flex min-h-10 items-center py-1.5 gap-2.5 px-4 text-13 max-sm:relative max-sm:h-auto max-sm:flex-wrap max-sm:gap-y-0 max-sm:py-2 max-sm:pr-12">
      <span className="w-[100px] shrink-0 text-ink-2 tabular-nums max-sm:order-1 max-sm:ml-auto max-sm:w-auto max-sm:text-12">
        {whenOf(row)}
      </span>
      <KindIcon type={row.type} />
      <Link
        href={`/messages/${row.id}`}
        prefetch={false}
        className="shrink-0 font-medium tabular-nums hover:underline"
      >
        {row.toText}
      </Link>
      <span className="line-clamp-2 min-w-0 flex-1 leading-[17px] text-ink-2 [overflow-wrap:anywhere] max-sm:order-2 max-sm:basis-full">
        {row.awaitsMedia ? texts.awaitsMedia : lineWithReference(row)}
      </span>
      {row.scheduled && row.inMs !== null && <Tag className="max-sm:order-3">{texts.scheduled}</Tag>}
      {row.scheduled && row.inMs === null && row.sendAt && (
        <span className="shrink-0 text-12 text-ink-2 tabular-nums max-sm:order-3">
          {texts.scheduledFor} <Time at={row.sendAt} seconds={false} />
        </span>
      )}
      {row.keptBack && <Tag className="max-sm:order-3">{texts.newPerson}</Tag>}
      {row.lane === 'sync' ? (
        <Tag tone="wait" className="max-sm:order-3">
          {texts.callerWaits}
        </Tag>
      ) : row.scheduled ? null : (
        <span className="shrink-0 text-12 text-ink-3 max-sm:order-3">
          {texts.until} <Time at={row.deadlineAt} seconds={false} />
        </span>
      )}
      <Button
        variant="ghost"
        size="small"
        icon
        aria-label={texts.cancelOne(row.toText)}
        busy={cancel.isPending}
        className="-mr-2 max-sm:absolute max-sm:right-4 max-sm:top-2"
        onClick={() => cancel.mutate({ numberId, messageId: row.id })}
      >
        <X />
      </Button>
    </li>
  );
}

/** Cancels all waiting messages of a number. */
function CancelAll({ number }: { number: NumberItem }) {
  const { done } = useFeedback();
  const cancel = useCancelWaiting(false);
  return (
    <Confirm
      trigger={<Button size="small">{cancelAll.submit}</Button>}
      {...cancelAll.dialog(number)}
      submit={cancelAll.submit}
      onConfirm={async () => {
        const { cancelled } = await cancel.mutateAsync({ numberId: number.id });
        done(cancelAll.done(cancelled));
      }}
    />
  );
}
