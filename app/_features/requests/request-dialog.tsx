import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { pretty } from '#app/_components/ui/pretty.ts';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { messageName } from '#app/_components/ui/state-words.ts';
import { Time, useNow } from '#app/_components/ui/time.tsx';
import { paceSentence } from '#app/_features/messages/pace-sentence.ts';
import { waitSentence } from '#app/_features/messages/wait-words.ts';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { startedAt } from '#server/core/started-at.ts';
import { ERROR_GUIDE } from '#server/rest/error-guide.ts';
import { AnswerTag } from './answer-tag.tsx';
import { TIMEOUTS, whatHappened, whatToDo } from './disconnected.ts';
import { requests } from './words.ts';

const texts = requests.detail;

/** One request: what was asked, what was answered, word for word, and what to do. */
export default function RequestDialog({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.requests.get.queryOptions({ requestId }));
  return (
    <Dialog
      wide
      onClose={onClose}
      title={
        <span className="flex items-center gap-2.5">
          <span className="font-mono text-[0.94em]">{data?.endpoint ?? requests.title}</span>
          {data && <AnswerTag request={data} words />}
        </span>
      }
      footer={
        data?.messageId ? (
          <ButtonLink href={`/messages/${data.messageId}`}>
            <MessageSquareText />
            {texts.message}
          </ButtonLink>
        ) : undefined
      }
    >
      <Failure error={error} retry={refetch} />
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data && <Content request={data} />}
    </Dialog>
  );
}

function Content({ request }: { request: Outputs['requests']['get'] }) {
  const trpc = useTRPC();
  const numbers = useNumbers();
  const { data: keys } = useQuery(trpc.keys.list.queryOptions());
  // The same advice as in the API reference.
  const advice = ERROR_GUIDE.find(({ codes }) => codes.some((code) => code === request.errorCode))?.next;
  const key = keys?.find(({ id }) => id === request.keyId);
  const number = numbers.find(({ id }) => id === request.numberId);
  const hungUp = request.errorCode === 'hung_up';
  const now = useNow(60_000);
  const toDo = hungUp ? whatToDo(request, now) : advice;
  const wait = {
    ...{ waitedMs: request.messageWaitedMs, turnsBefore: request.messageTurnsBefore },
    firstTurnMs: request.messageFirstTurnMs,
  };
  const waited = hungUp || request.repeat ? waitSentence(wait, number) : null;
  const bodyHelp =
    request.body === null ? undefined : request.messageId ? texts.bodyInMessage : texts.bodyHelp;
  const facts: [string, ReactNode][] = [
    [texts.started, <Time key="started" at={startedAt(request)} millis />],
    [texts.duration, requests.ms(request.durationMs)],
    [texts.ended, <Time key="ended" at={request.at} millis />],
    [texts.key, key ? key.name || key.hint : requests.removedKey],
    [texts.number, number ? number.name : texts.removedNumber],
    ...(request.to === null ? [] : ([[texts.recipient, request.to]] as [string, ReactNode][])),
    ...(request.reference === null ? [] : ([[texts.reference, request.reference]] as [string, ReactNode][])),
    [
      texts.requestId,
      <span key="id" className="flex items-center gap-1.5">
        <span className="min-w-0 truncate font-mono text-12">{request.requestId}</span>
        <CopyButton text={request.requestId} label={texts.copyId} />
      </span>,
    ],
  ];
  return (
    <div className="flex flex-col gap-5">
      {(hungUp || request.repeat || request.messageStatus) && (
        <p className="text-13">
          {[
            request.repeat && texts.repeat,
            hungUp && whatHappened(request),
            waited,
            hungUp &&
              number &&
              request.messageStatus === 'queued' &&
              !request.messageSetAside &&
              paceSentence(number),
          ]
            .filter(Boolean)
            .join(' ')}{' '}
          {request.messageStatus && (
            <>
              {request.errorCode === 'idempotency_key_reused' ? texts.earlierState : texts.state}{' '}
              <Link
                href={`/messages/${request.messageId}`}
                className="font-medium text-brand-fg hover:underline"
              >
                {messageName({
                  status: request.messageStatus,
                  setAside: request.messageSetAside,
                  sendAt: request.messageSendAt,
                })}
              </Link>
            </>
          )}
        </p>
      )}
      {toDo !== undefined && (
        <Note
          tone="warn"
          title={texts.toDo}
          action={
            <Link
              href={hungUp ? TIMEOUTS : `/docs#error-${request.errorCode}`}
              className="text-12 font-medium text-brand-fg hover:underline"
            >
              {hungUp ? texts.timeouts : request.errorCode}
            </Link>
          }
        >
          {toDo}
        </Note>
      )}
      {request.answer !== null && (
        <Part title={texts.answer}>
          {hungUp ? (
            <p className="px-4 py-3 text-13 text-ink-3">{texts.noAnswer}</p>
          ) : (
            <Code wrap text={pretty(request.answer)} />
          )}
        </Part>
      )}
      <Part title={texts.body} help={bodyHelp}>
        {request.body === null ? (
          <p className="px-4 py-3 text-13 text-ink-3">{texts.noBody(request)}</p>
        ) : (
          <Code wrap text={pretty(request.body)} />
        )}
      </Part>
      <div className="rounded-4 border border-line bg-raised">
        <DescriptionList rows={facts} />
      </div>
    </div>
  );
}

function Part({ title, help, children }: { title: string; help?: string | undefined; children: ReactNode }) {
  return (
    <section>
      <div className="mb-2 flex items-baseline gap-2">
        <h3>{title}</h3>
        {help && <span className="text-12 text-ink-3">{help}</span>}
      </div>
      <div className="overflow-hidden rounded-4 border border-line bg-raised">{children}</div>
    </section>
  );
}
