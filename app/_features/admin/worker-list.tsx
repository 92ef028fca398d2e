'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Server } from 'lucide-react';
import { Badge } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { FactRow } from './fact-row.tsx';
import { admin } from './words.ts';

const texts = admin.workers;
/** Polled, because no stream reports the workers' heartbeats. */
const LOOK_MS = 3_000;
type Worker = Outputs['admin']['workers'][number];

/** The processes that run the numbers; each can be drained. */
export function WorkerList() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.admin.workers.queryOptions(undefined, { refetchInterval: LOOK_MS, staleTime: 0 }),
  );
  const open = data?.filter(isOpen).length ?? 0;
  return (
    <>
      <PageHead title={texts.title} lead={open > 1 ? `${texts.lead} ${texts.whenToDrain}` : texts.lead} />
      <Failure error={error} retry={refetch} />
      <Card aria-label={texts.list}>
        {!data && !error && <SkeletonRows rows={2} />}
        {data?.length === 0 && <Empty icon={<Server />} {...texts.none} />}
        <ul>
          {data?.map((worker) => (
            <Row key={worker.id} worker={worker} canDrain={open > 1} />
          ))}
        </ul>
      </Card>
      {(data?.length ?? 0) > 0 && <TimesIn className="text-12 text-ink-3" />}
      {open === 1 && <p className="text-12 text-ink-3">{texts.last}</p>}
    </>
  );
}

const isOpen = ({ alive, draining, sessionsStopped }: Worker) => alive && !draining && !sessionsStopped;

function Row({ worker, canDrain }: { worker: Worker; canDrain: boolean }) {
  const { columns } = texts;
  const facts: [string, React.ReactNode][] = [
    [columns.numbers, worker.numbers.toLocaleString('en')],
    [columns.memory, worker.memoryBytes === null ? texts.unmeasured : megabytes(worker.memoryBytes)],
    [columns.version, worker.version ?? '–'],
    worker.alive
      ? [columns.since, <Time key="since" at={worker.since} seconds={false} />]
      : [texts.silentSince, <Time key="seen" at={worker.seenAt} />],
  ];
  return (
    <FactRow facts={facts} action={<Drain worker={worker} canDrain={canDrain} />}>
      <span className="flex max-w-full items-center gap-2.5">
        <b className="truncate font-medium">{worker.host}</b>
        <State worker={worker} />
      </span>
      <span className="max-w-full truncate font-mono text-11 text-ink-3">{worker.id}</span>
      {worker.diskNote && <p className="max-w-full text-12 text-ink-2">{worker.diskNote}</p>}
    </FactRow>
  );
}

function State({ worker }: { worker: Worker }) {
  const { states } = texts;
  if (!worker.alive) return <Badge tone="fail">{states.silent}</Badge>;
  if (worker.sessionsStopped) return <Badge tone="fail">{states.diskFull}</Badge>;
  if (worker.draining) return <Badge tone="wait">{states.draining}</Badge>;
  if (worker.mediaRefused) return <Badge tone="warn">{states.diskLow}</Badge>;
  return <Badge tone="ok">{states.running}</Badge>;
}

/** A stopping worker cannot be resumed; the last one cannot be drained. */
function Drain({ worker, canDrain }: { worker: Worker; canDrain: boolean }) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const { id: workerId, host, drainRequested } = worker;
  const drain = useMutation(
    trpc.admin.drainWorker.mutationOptions({
      onSuccess: () => done(drainRequested ? texts.resumed(host) : texts.drained(host)),
      onError: failed,
      onSettled: () => refresh({ queryKey: trpc.admin.workers.queryKey() }),
    }),
  );
  if (drainRequested ? !worker.alive : !canDrain || !isOpen(worker)) return null;
  return (
    <Button busy={drain.isPending} onClick={() => drain.mutate({ workerId, drain: !drainRequested })}>
      {drainRequested ? texts.resume : texts.drain}
    </Button>
  );
}

function megabytes(bytes: number): string {
  return texts.megabytes(Math.round(bytes / 1024 / 1024).toLocaleString('en'));
}
