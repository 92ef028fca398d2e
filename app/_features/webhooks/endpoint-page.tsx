'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { MoreHorizontal, Pencil, Power, RefreshCw, Rewind, Send, Trash2, Webhook } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { ConfirmDialog } from '#app/_components/ui/confirm.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Menu, MenuItem, MenuLine } from '#app/_components/ui/menu.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { common } from '#app/_components/ui/words.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { type Endpoint, EndpointState, eventsOf, nameOf } from './endpoint-state.tsx';
import { NumberName } from './number-name.tsx';
import { ReplayForm } from './replay-form.tsx';
import { SecretOnce } from './secret-once.tsx';
import { webhooks } from './words.ts';

const texts = webhooks.page;
/** Polled: deliveries change endpoints without a notification. */
const LOOK_MS = 2_000;

/** One endpoint: its state, its actions and its log. Its events are kept for `keptDays`. */
export function EndpointPage({ endpointId, keptDays }: { endpointId: string; keptDays: number }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.webhooks.list.queryOptions(undefined, { refetchInterval: LOOK_MS }),
  );
  const endpoint = data?.find(({ id }) => id === endpointId);
  return (
    <Page
      crumbs={[
        { label: webhooks.title, href: '/webhooks' },
        ...(endpoint ? [{ label: nameOf(endpoint) }] : []),
      ]}
    >
      <Failure error={error} retry={refetch} />
      {endpoint && <EndpointView endpoint={endpoint} keptDays={keptDays} />}
      {!endpoint && !error && (
        <Card>
          {data ? (
            <Empty
              icon={<Webhook />}
              title={texts.notFound}
              action={<ButtonLink href="/webhooks">{webhooks.title}</ButtonLink>}
            />
          ) : (
            <SkeletonRows rows={6} />
          )}
        </Card>
      )}
    </Page>
  );
}

function EndpointView({ endpoint, keptDays }: { endpoint: Endpoint; keptDays: number }) {
  return (
    <>
      <PageHead
        title={<span className="line-clamp-3 break-all">{nameOf(endpoint)}</span>}
        badge={<EndpointState endpoint={endpoint} />}
        lead={
          <>
            <NumberName numberId={endpoint.numberId} /> · {eventsOf(endpoint)}
          </>
        }
        actions={<Actions endpoint={endpoint} keptDays={keptDays} />}
      />
      {!endpoint.active && (
        <Note tone={endpoint.disabledReason === 'person' ? 'mute' : 'fail'} title={texts.offTitle}>
          {texts.offText(keptDays)}
        </Note>
      )}
      {endpoint.active && endpoint.failingSince && (
        <Note tone="warn" title={texts.failing}>
          {texts.failingText} {texts.failingSince} <Time at={endpoint.failingSince} />.
          {endpoint.retryAt && (
            <>
              {' '}
              {texts.nextRequest} <Time at={endpoint.retryAt} />.
            </>
          )}
        </Note>
      )}
      <Figures endpoint={endpoint} />
      <DeliveryLog endpoint={endpoint} />
    </>
  );
}

function Figures({ endpoint }: { endpoint: Endpoint }) {
  const figures = [
    [
      webhooks.list.success,
      endpoint.lastSuccessAt ? <Time key="at" at={endpoint.lastSuccessAt} ago /> : webhooks.list.none,
    ],
    [texts.rateOf, texts.rate(endpoint.failed, endpoint.requests)],
    [texts.waiting, texts.waitingEvents(endpoint.waiting)],
  ] as const;
  return (
    <Card className="grid grid-cols-3 max-sm:grid-cols-1">
      {figures.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-col gap-0.5 border-line-soft px-4 py-3 max-sm:flex-row max-sm:justify-between sm:[&+&]:border-l max-sm:[&+&]:border-t"
        >
          <span className="text-12 text-ink-3">{name}</span>
          <span className="font-medium tabular-nums">{value}</span>
        </div>
      ))}
    </Card>
  );
}

type Asking = 'edit' | 'rotate' | 'replay' | 'off' | 'remove';

function Actions({ endpoint, keptDays }: { endpoint: Endpoint; keptDays: number }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { done, failed, refresh } = useFeedback();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const reload = () => refresh(trpc.webhooks.pathFilter());
  const close = () => setAsking(null);
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess: () => {
        done(texts.tested);
        void reload();
      },
      onError: failed,
    }),
  );
  const change = useMutation(trpc.webhooks.change.mutationOptions({ onSuccess: reload }));
  const rotate = useMutation(trpc.webhooks.rotate.mutationOptions({ gcTime: 0 }));
  const remove = useMutation(trpc.webhooks.remove.mutationOptions());
  const { id: endpointId, active } = endpoint;
  const switchOn = () =>
    change.mutateAsync({ endpointId, active: true }).then(() => done(texts.switchedOn), failed);
  return (
    <>
      {active ? (
        <Button variant="primary" changes busy={test.isPending} onClick={() => test.mutate({ endpointId })}>
          <Send />
          {texts.test}
        </Button>
      ) : (
        <Button variant="primary" changes busy={change.isPending} onClick={() => void switchOn()}>
          <Power />
          {texts.on}
        </Button>
      )}
      <Menu
        trigger={
          <Button icon changes aria-label={common.actions(nameOf(endpoint))} className="max-sm:flex-none!">
            <MoreHorizontal />
          </Button>
        }
      >
        <MenuItem onSelect={() => setAsking('edit')}>
          <Pencil />
          {texts.edit}
        </MenuItem>
        {active && (
          <MenuItem onSelect={() => setAsking('replay')}>
            <Rewind />
            {texts.replay}
          </MenuItem>
        )}
        {endpoint.url !== INSPECT_URL && (
          <MenuItem onSelect={() => setAsking('rotate')}>
            <RefreshCw />
            {texts.rotate}
          </MenuItem>
        )}
        <MenuLine />
        {active && (
          <MenuItem onSelect={() => setAsking('off')}>
            <Power />
            {texts.off}
          </MenuItem>
        )}
        <MenuItem danger onSelect={() => setAsking('remove')}>
          <Trash2 />
          {texts.remove}
        </MenuItem>
      </Menu>
      {asking === 'edit' && <EndpointForm endpoint={endpoint} onClose={close} />}
      {asking === 'replay' && <ReplayForm endpointId={endpointId} onClose={close} />}
      {asking === 'rotate' && (
        <ConfirmDialog
          {...webhooks.rotateDialog}
          onClose={close}
          onConfirm={async () => setSecret((await rotate.mutateAsync({ endpointId })).secret)}
        />
      )}
      {asking === 'off' && (
        <ConfirmDialog
          {...webhooks.offDialog(keptDays)}
          onClose={close}
          onConfirm={() => change.mutateAsync({ endpointId, active: false })}
        />
      )}
      {asking === 'remove' && (
        <ConfirmDialog
          {...webhooks.removeDialog}
          onClose={close}
          onConfirm={async () => {
            await remove.mutateAsync({ endpointId });
            router.push('/webhooks');
            void reload();
          }}
        />
      )}
      {secret !== null && (
        <SecretOnce
          secret={secret}
          rotated
          onClose={() => {
            setSecret(null);
            rotate.reset();
          }}
        />
      )}
    </>
  );
}
