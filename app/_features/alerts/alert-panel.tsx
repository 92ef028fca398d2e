import { useMutation, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { MailX } from 'lucide-react';
import * as Popover from 'radix-ui/popover';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { alertSign, NUMBER_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time, useNow } from '#app/_components/ui/time.tsx';
import { type NumberItem, wordsOf } from '#app/_features/numbers/number-sentence.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { bell } from './bell-words.ts';
import { notYetRaised, openAlerts } from './under-way.ts';
import { setsUpMail, alerts as texts } from './words.ts';

type List = Outputs['alerts']['list'];
type Alert = List['alerts'][number];

/** The latest alerts with what to do, and whether alerts are mailed. */
export default function AlertPanel({
  list,
  error,
  retry,
}: {
  list: List | undefined;
  error: unknown;
  retry: () => Promise<unknown>;
}) {
  const { viewing } = useMe();
  return (
    <>
      <div className="flex h-11 shrink-0 items-center justify-between border-b border-line-soft pr-1.5 pl-3.5">
        <h2 className="text-13 font-semibold">{bell.title}</h2>
        {list && list.unread > 0 && !viewing && <MarkRead />}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {list ? (
          <Alerts list={list} />
        ) : error ? (
          <Failure error={error} retry={retry} className="m-3.5" />
        ) : (
          <Waiting />
        )}
      </div>
      {list && <MailLine mailed={list.mailed} />}
    </>
  );
}

function useMarkRead() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.alerts.markRead.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.alerts.pathKey() }),
    }),
  );
}

function MarkRead() {
  const markRead = useMarkRead();
  return (
    <Button variant="ghost" size="small" busy={markRead.isPending} onClick={() => markRead.mutate({})}>
      {texts.markRead}
    </Button>
  );
}

function MarkOneRead({ alert }: { alert: Alert }) {
  const markRead = useMarkRead();
  return (
    <button
      type="button"
      aria-label={texts.markOneLabel(alert.title)}
      aria-busy={markRead.isPending || undefined}
      className="hover:underline"
      onClick={() => markRead.mutate({ alertId: alert.id })}
    >
      {texts.markOne}
    </button>
  );
}

function Alerts({ list }: { list: List }) {
  const unwell = notYetRaised(useNumbers(), list.alerts);
  const open = new Set(openAlerts(list.alerts));
  if (list.alerts.length === 0 && unwell.length === 0) {
    return (
      <div className="px-5 py-7 text-center">
        <p className="font-medium">{texts.none}</p>
        <p className="mt-1 text-13 text-ink-2">{texts.noneHelp}</p>
      </div>
    );
  }
  return (
    <ul>
      {unwell.map((number) => (
        <li key={number.id} className="border-b border-line-soft last:border-b-0">
          <Unwell number={number} />
        </li>
      ))}
      {list.alerts.map((alert) => (
        <li key={alert.id} className="border-b border-line-soft last:border-b-0">
          <Entry alert={alert} current={open.has(alert)} />
        </li>
      ))}
    </ul>
  );
}

/** The current state of a number that has no alert yet. */
function Unwell({ number }: { number: NumberItem }) {
  const now = useNow(10_000);
  const { sign, name, sentence } = wordsOf(number, now);
  return (
    <div className="flex gap-2.5 px-3.5 py-3 [--cut:var(--overlay)]">
      <StatusIcon {...NUMBER_SIGNS[sign]} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <h3 className="min-w-0 flex-1 text-13 font-medium">{texts.now(number.name, name)}</h3>
          <Tag tone="warn">{texts.underWay}</Tag>
        </div>
        <p className="mt-0.5 text-12 text-ink-2">{sentence}</p>
        <div className="mt-1.5 text-12 font-medium text-brand-fg">
          <Popover.Close asChild>
            <Link href={`/numbers/${number.id}`} className="hover:underline">
              {texts.open}
            </Link>
          </Popover.Close>
        </div>
      </div>
    </div>
  );
}

/** `current`: the alert's cause still exists. */
function Entry({ alert, current }: { alert: Alert; current: boolean }) {
  const { tone, shape } = alertSign(alert.sign);
  const { viewing } = useMe();
  return (
    <div
      className={clsx(
        `tone-${tone}`,
        'relative flex gap-2.5 px-3.5 py-3 [--cut:var(--overlay)]',
        alert.unread && 'bg-[color-mix(in_oklab,var(--brand-bg)_45%,transparent)]',
      )}
    >
      <StatusIcon shape={shape} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <h3 className={clsx('min-w-0 flex-1 text-13', alert.unread ? 'font-semibold' : 'font-medium')}>
            {alert.title}
            {alert.unread && <span className="sr-only"> ({texts.unread})</span>}
          </h3>
          {current && <Tag tone="warn">{texts.underWay}</Tag>}
          <Time at={alert.happenedAt} seconds={false} className="shrink-0 text-11 text-ink-3 tabular-nums" />
        </div>
        <p className="mt-0.5 text-12 text-ink-2">{alert.what}</p>
        {alert.overAt ? (
          <p className="mt-1 text-12 text-ink-2">
            {texts.over} <Time at={alert.overAt} seconds={false} />.
          </p>
        ) : (
          <p className="mt-1 whitespace-pre-line text-12 text-ink-2">
            <b className="font-medium text-ink">{texts.todo}</b> {alert.todo}
          </p>
        )}
        <div className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-12 font-medium text-brand-fg">
          {alert.numberId && (
            <Popover.Close asChild>
              <Link href={`/numbers/${alert.numberId}`} className="hover:underline">
                {texts.open}
              </Link>
            </Popover.Close>
          )}
          {alert.unread && !viewing && <MarkOneRead alert={alert} />}
        </div>
      </div>
    </div>
  );
}

function MailLine({ mailed }: { mailed: boolean }) {
  const { admin } = useMe();
  if (mailed)
    return (
      <p className="border-t border-line-soft px-3.5 py-2.5 text-12 text-ink-3">
        {texts.mailed}{' '}
        <Popover.Close asChild>
          <Link href="/account" className="underline">
            {texts.choose}
          </Link>
        </Popover.Close>
      </p>
    );
  return (
    <p className="tone-warn flex gap-2 border-t border-line-soft bg-tone-bg px-3.5 py-2.5 text-12 text-tone-fg">
      <MailX className="mt-0.5 size-3.5 shrink-0" />
      {texts.notMailed} {setsUpMail(admin)}
    </p>
  );
}

function Waiting() {
  return (
    <div className="flex flex-col gap-3 p-3.5">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}
