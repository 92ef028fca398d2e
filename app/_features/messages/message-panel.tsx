'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ChevronDown, ChevronUp, X } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { MESSAGE_SIGNS, MessageBadge } from '#app/_components/ui/states.tsx';
import { duration, minuteOf, Time } from '#app/_components/ui/time.tsx';
import { common } from '#app/_components/ui/words.ts';
import { ACK_OF } from '#app/_features/chat/ack.ts';
import { Bubble } from '#app/_features/chat/bubble.tsx';
import { size } from '#app/_features/chat/size.ts';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { toOf } from '#server/core/recipient.ts';
import { CancelMessage } from './cancel-message.tsx';
import { isQuiet, NOTHING_TO_DO, QUIET_TEXTS } from './is-quiet.ts';
import { sentTime } from './known-later.ts';
import { MessageTimeline } from './message-timeline.tsx';
import { SendAgain } from './send-again.tsx';
import { UNSENT_TEXTS, type UnsentStatus } from './unsent-texts.ts';
import { useFilters } from './use-filters.ts';
import { useMessages } from './use-messages.ts';
import { waitsBecause } from './waits-because.ts';
import { messages } from './words.ts';

const texts = messages.detail;
type Message = Outputs['messages']['get'];

/** One message: its content, its timeline, and its request. */
export function MessagePanel({ messageId }: { messageId: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.messages.get.queryOptions({ messageId }));
  return (
    <aside
      aria-label={texts.label}
      className="flex min-h-0 flex-col bg-raised max-lg:fixed max-lg:inset-0 max-lg:z-20 max-lg:bg-surface md:max-lg:left-auto md:max-lg:w-[404px] md:max-lg:border-l md:max-lg:border-line md:max-lg:shadow-modal lg:rounded-br-[9px] lg:border-l lg:border-line"
    >
      <PanelHead messageId={messageId} message={data} />
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-auto px-5 pt-[18px] pb-6 [scrollbar-width:thin] max-sm:px-4 [&>*]:shrink-0">
        <Failure error={error} retry={refetch} />
        {!data && !error && <PanelSkeleton />}
        {data && <Detail message={data} />}
      </div>
      {data?.status === 'queued' && <CancelMessage key={data.id} message={data} />}
      {data && data.status !== 'queued' && <SendAgain key={data.id} message={data} />}
    </aside>
  );
}

function PanelHead({ messageId, message }: { messageId: string; message: Message | undefined }) {
  const [filters, , query] = useFilters();
  const { rows } = useMessages(filters);
  const at = rows.findIndex((row) => row.id === messageId);
  const step = (to: number, label: string, Icon: typeof ChevronUp) => {
    const row = at === -1 ? undefined : rows[at + to];
    return (
      <Button
        variant="ghost"
        size="small"
        icon
        aria-label={label}
        disabled={!row}
        className="max-md:hidden"
        asChild={!!row}
      >
        {row ? (
          <Link href={`/messages/${row.id}${query}`} scroll={false} replace>
            <Icon />
          </Link>
        ) : (
          <Icon />
        )}
      </Button>
    );
  };
  return (
    <div className="flex h-12 shrink-0 items-center gap-1 border-b border-line-soft pr-3 pl-5 max-md:h-[52px] max-md:pl-2">
      <Button variant="ghost" size="small" icon aria-label={texts.back} className="md:hidden" asChild>
        <Link href={`/messages${query}`} scroll={false}>
          <ArrowLeft />
        </Link>
      </Button>
      {message ? <MessageBadge {...message} /> : <Skeleton className="h-[22px] w-20 rounded-full!" />}
      <span className="flex-1" />
      {step(-1, texts.previous, ChevronUp)}
      {step(1, texts.next, ChevronDown)}
      <Button variant="ghost" size="small" icon aria-label={texts.close} className="max-md:hidden" asChild>
        <Link href={`/messages${query}`} scroll={false}>
          <X />
        </Link>
      </Button>
    </div>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label={common.loading} className="flex flex-col gap-5">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-[180px] rounded-4!" />
    </div>
  );
}

function Detail({ message }: { message: Message }) {
  const { status } = message;
  const text = isQuiet(status) ? `${QUIET_TEXTS[status]} ${NOTHING_TO_DO}` : '';
  const number = useNumbers().find(({ id }) => id === message.numberId);
  return (
    <>
      <div>
        <h1 className="flex items-center gap-1 text-16! tabular-nums">
          {message.toText}
          <CopyButton text={toOf(message.to)} label={texts.copyTo} />
        </h1>
        {isQuiet(status) ? (
          <p className="mt-0.5 text-13 text-ink-2">
            {(status === 'queued' && waitsBecause(message, number)) || text}
          </p>
        ) : (
          <MessageVerdict status={status} error={message.error} />
        )}
        {(message.repeats || message.sentAgainAs[0] || message.laterSent) && (
          <MessageRepeats message={message} />
        )}
      </div>
      <Preview message={message} />
      <MessageTimeline message={message} pace={number} />
      <Facts message={message} number={number} />
      <RequestBox message={message} />
    </>
  );
}

function Preview({ message }: { message: Message }) {
  const { content, contactPhoneText: phone, mediaBytes } = message;
  if (!content) return <p className="text-13 text-ink-2">{texts.erasedText}</p>;
  return (
    <div className="chat flex flex-col rounded-4 border border-line px-4 py-[18px]">
      <Bubble
        tail
        content={content.type === 'contact' && phone ? { ...content, contactPhone: phone } : content}
        bytes={mediaBytes ?? undefined}
        time={minuteOf(new Date(sentTime(message)))}
        ack={ACK_OF[message.status]}
      />
    </div>
  );
}

function Facts({ message, number }: { message: Message; number: NumberItem | undefined }) {
  const rows: ([string, React.ReactNode] | false)[] = [
    [
      texts.id,
      <span key="id" className="flex min-w-0 items-center justify-between gap-1">
        <span className="truncate font-mono text-12">{message.id}</span>
        <CopyButton text={message.id} label={texts.copyId} />
      </span>,
    ],
    [
      texts.from,
      number ? (
        <Link key="from" href={`/numbers/${number.id}`} className="hover:underline">
          {message.earlierPhone ? (
            [number.label, texts.fromEarlier(message.earlierPhone.text)].filter(Boolean).join(', ')
          ) : (
            <>
              {number.name}
              {number.label && number.phoneText && `, ${number.phoneText}`}
            </>
          )}
        </Link>
      ) : (
        message.numberLabel
      ),
    ],
    message.reference !== null && [texts.reference, message.reference],
    message.sendAt !== null && [texts.sendAt, <Time key="sendAt" at={message.sendAt} />],
    [texts.key, message.keyName ? `${message.keyName}, ${message.keyHint}` : texts.noKey],
    [texts.answer, texts.lane[message.lane]],
    message.hungUpAfterMs !== null && [
      texts.client,
      texts.disconnected(
        duration(message.hungUpAfterMs),
        message.timeline.some(({ event }) => event === 'repeated'),
      ),
    ],
    message.withIdempotencyKey && [texts.request, texts.withKey],
    message.mediaStatus !== 'none' && [texts.media, mediaText(message)],
    message.status === 'queued' && [texts.deadline, <Time key="deadline" at={message.deadlineAt} />],
  ];
  return (
    <dl className="tabular-nums">
      {rows
        .filter((row) => row !== false)
        .map(([name, value]) => (
          <div
            key={name}
            className="flex min-h-8 items-center gap-3 border-b border-line-soft text-13 first:border-t"
          >
            <dt className="w-[84px] shrink-0 text-ink-3">{name}</dt>
            <dd className="min-w-0 flex-1">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function mediaText(message: Message): string {
  if (message.mediaStatus === 'pending') return texts.mediaPending;
  if (message.mediaBytes === null) return texts.mediaFailed;
  return [message.mediaMimeType, size(message.mediaBytes)].filter(Boolean).join(', ');
}

function RequestBox({ message }: { message: Message }) {
  if (!message.content) return null;
  const { type, ...fields } = message.content;
  const body = { to: toOf(message.to), ...fields };
  const text = `POST /v1/messages/${type}\n${JSON.stringify(body, null, 2)}`;
  return (
    <section className="overflow-hidden rounded-4 border border-line bg-raised">
      <div className="flex h-[34px] items-center gap-2 border-b border-line bg-sunken pr-2 pl-3.5 text-12 font-medium">
        <h2 className="flex-1 text-12!">
          {texts.request} <span className="font-normal text-ink-3">{texts.keyLeftOut}</span>
        </h2>
        <CopyButton text={text} label={texts.copyRequest} />
      </div>
      {/* Plain: highlighting would cost the page's first load more than it shows. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto px-4 py-3.5 font-mono text-12"
      >
        {text}
      </pre>
    </section>
  );
}

const TITLES: Record<UnsentStatus, string> = {
  failed: 'Definitely not sent',
  unknown: 'Not confirmed. It may have arrived',
  expired: 'Not sent: its deadline passed',
  cancelled: 'Not sent: cancelled before its turn',
};

/** Why a message was not sent, or may not have been. */
function MessageVerdict({ status, error }: { status: UnsentStatus; error: string | null }) {
  return (
    <Note tone={MESSAGE_SIGNS[status].tone} title={TITLES[status]} className="mt-2.5">
      {error ?? UNSENT_TEXTS[status]}
    </Note>
  );
}

const links = {
  repeats: 'Repeat of',
  sentAgainAs: 'Sent again as',
  laterSent: {
    content: 'A later message to this recipient with the same content was sent:',
    reference: 'A later message to this recipient with the same reference was sent:',
  },
};

/** The message that this one repeats, those that it was sent again as, and a later one like it that was sent. */
function MessageRepeats({
  message: { repeats, sentAgainAs, laterSent },
}: {
  message: Pick<Outputs['messages']['get'], 'repeats' | 'sentAgainAs' | 'laterSent'>;
}) {
  const [, , query] = useFilters();
  const lines = [
    ...(repeats === null ? [] : [[links.repeats, repeats] as const]),
    ...sentAgainAs.map((id) => [links.sentAgainAs, id] as const),
    ...(laterSent === null ? [] : [[links.laterSent[laterSent.same], laterSent.id] as const]),
  ];
  return lines.map(([what, id]) => (
    <p key={id} className="mt-2 flex flex-wrap gap-x-1.5 text-13 text-ink-2">
      <span>{what}</span>
      <Link
        href={`/messages/${id}${query}`}
        scroll={false}
        className="truncate font-mono text-12 leading-5 font-medium text-brand-fg hover:underline"
      >
        {id}
      </Link>
    </p>
  ));
}
