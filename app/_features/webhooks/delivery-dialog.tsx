import { useMutation, useQuery } from '@tanstack/react-query';
import { MessageSquareText, RotateCcw } from 'lucide-react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { DeliveryState } from './delivery-state.tsx';
import type { Endpoint } from './endpoint-state.tsx';
import { webhooks } from './words.ts';

const texts = webhooks.delivery;
const LOOK_MS = 2_000;

type Detail = Outputs['webhooks']['delivery'];
type Request = Detail['requests'][number];

/** One event: its body, and each request with its answer, word for word. */
export default function DeliveryDialog({
  endpoint,
  eventId,
  onClose,
}: {
  endpoint: Endpoint;
  eventId: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const { data, error, refetch } = useQuery(
    trpc.webhooks.delivery.queryOptions({ endpointId: endpoint.id, eventId }, { refetchInterval: LOOK_MS }),
  );
  const replay = useMutation(
    trpc.webhooks.replayEvent.mutationOptions({
      onSuccess: () => {
        done(texts.replayed);
        void refresh(trpc.webhooks.pathFilter());
      },
    }),
  );
  return (
    <Dialog
      wide
      onClose={onClose}
      title={
        <span className="flex items-center gap-2.5 [--cut:var(--overlay)]">
          <span className="font-mono text-[0.94em]">{data?.type ?? eventId}</span>
          {data && <DeliveryState row={data} />}
        </span>
      }
      footer={
        <>
          {data?.subject.startsWith('msg_') && (
            <ButtonLink href={`/messages/${data.subject}`}>
              <MessageSquareText />
              {texts.message}
            </ButtonLink>
          )}
          {data && endpoint.active && (
            <Button
              variant="primary"
              changes
              busy={replay.isPending}
              onClick={() => replay.mutate({ endpointId: endpoint.id, eventId })}
            >
              <RotateCcw />
              {texts.replay}
            </Button>
          )}
        </>
      }
    >
      <Failure error={error} retry={refetch} />
      <Failure error={replay.error} assertive />
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data && <Content detail={data} retryAt={endpoint.retryAt} />}
    </Dialog>
  );
}

/** `retryAt`: until then a failing endpoint gets no request. */
function Content({ detail, retryAt }: { detail: Detail; retryAt: string | null }) {
  const next = retryAt !== null && retryAt > detail.nextAttemptAt ? retryAt : detail.nextAttemptAt;
  const body = JSON.stringify(JSON.parse(detail.body), null, 2);
  return (
    <div className="flex flex-col gap-5">
      <section>
        <div className="mb-2 flex items-center justify-between gap-3">
          <h3>{texts.body}</h3>
          <CopyButton text={detail.body} label={texts.copyBody} />
        </div>
        <div className="overflow-hidden rounded-4 border border-line bg-raised">
          <Code text={body} />
        </div>
      </section>
      <section className="flex flex-col gap-2">
        <h3>{texts.attempts}</h3>
        {detail.requests.length === 0 && <p className="text-13 text-ink-2">{texts.none}</p>}
        {detail.requests.map((request) => (
          <RequestCard key={String(request.at)} request={request} />
        ))}
        {detail.state === 'pending' && (detail.attempts > 0 || retryAt !== null) && (
          <p className="text-12 text-ink-3">
            {texts.next}: <Time at={next} />
          </p>
        )}
      </section>
    </div>
  );
}

function RequestCard({ request }: { request: Request }) {
  const headers = Object.entries(request.requestHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="overflow-hidden rounded-4 border border-line bg-raised text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <Tag tone={request.error === null ? 'ok' : 'fail'} mono>
          {request.status ?? texts.noAnswer}
        </Tag>
        <Time at={request.at} />
        <span className="text-ink-3 tabular-nums">{webhooks.log.ms(request.durationMs)}</span>
      </div>
      {request.error !== null && <p className="px-4 pb-2.5 text-ink-2">{request.error}</p>}
      {request.answer !== null && (
        <div className="border-t border-line-soft">
          {request.answer === '' ? (
            <p className="px-4 py-2.5 text-ink-3">{texts.emptyAnswer}</p>
          ) : (
            <Code text={request.answer} />
          )}
        </div>
      )}
      <details className="border-t border-line-soft">
        <summary className="cursor-pointer px-4 py-2 text-12 text-ink-2">{texts.headers}</summary>
        {headers.length === 0 ? (
          <p className="px-4 pb-2.5 text-12 text-ink-3">{texts.notRecorded}</p>
        ) : (
          <Code text={headers.join('\n')} />
        )}
      </details>
    </div>
  );
}
