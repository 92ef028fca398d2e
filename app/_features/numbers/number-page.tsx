'use client';

import { useMutation } from '@tanstack/react-query';
import { Key, Pause, Play, Plus, QrCode } from 'lucide-react';
import type { ReactNode } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import Link from '#app/_components/ui/link.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { NumberBadge } from '#app/_components/ui/states.tsx';
import { Switch } from '#app/_components/ui/switch.tsx';
import { Time, useNow } from '#app/_components/ui/time.tsx';
import { common } from '#app/_components/ui/words.ts';
import { PlanStopped } from '#app/_features/plan/plan-stopped.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { Page, PageHead } from '#app/_features/shell/page.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { planWorks } from '#server/core/access.ts';
import { signOf } from '#server/core/number-sign.ts';
import { Decide } from './decide.tsx';
import { GroupsCard } from './groups-card.tsx';
import { HealthCard } from './health-card.tsx';
import { IntervalCard } from './interval-slider.tsx';
import { MissingNumber } from './missing-number.tsx';
import { NumberHistory } from './number-history.tsx';
import { NumberMenu } from './number-menu.tsx';
import { asksToDecide, type NumberItem, unwellFor, wordsOf } from './number-sentence.ts';
import { QueueCard } from './queue-card.tsx';
import { StateNote } from './state-note.tsx';
import { useKeysOf, useNumber, useNumberActions } from './use-number.ts';
import { numbers } from './words.ts';

const { page: texts, protection } = numbers;

/** One number: its state and reason, its queue, its interval and its actions. */
export function NumberPage({ numberId, notes }: { numberId: string; notes: ReactNode }) {
  const number = useNumber(numberId);
  if (!number) return <MissingNumber />;
  return (
    <Page crumbs={[{ label: numbers.title, href: '/numbers' }, { label: number.name }]}>
      <NumberHead number={number} />
      <PlanNote />
      {asksToDecide(number) && <Decide number={number} />}
      <StateNote number={number} />
      {notes}
      <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-7 max-lg:contents">
          <QueueCard number={number} />
          <HealthCard number={number} />
          <div className="max-lg:order-last">
            <NumberHistory number={number} limit={8} />
          </div>
        </div>
        <div className="flex min-w-0 flex-col gap-7">
          <Section title={texts.settings}>
            <IntervalCard key={number.id} number={number} titled />
            <ProtectionCard number={number} />
          </Section>
          <Keys number={number} />
          <GroupsCard number={number} />
          <Details number={number} />
        </div>
      </div>
    </Page>
  );
}

function PlanNote() {
  const plan = usePlan();
  if (planWorks(plan.state) && !plan.suspended) return null;
  return <PlanStopped />;
}

function NumberHead({ number }: { number: NumberItem }) {
  const now = useNow(10_000);
  const { done } = useFeedback();
  const { hold, release } = useNumberActions();
  const linkWord = number.phoneNumber === null ? texts.link : texts.linkAgain;
  const linking = number.status === 'LINKING' || number.status === 'SYNCING';
  // Without a plan, a sandbox number may be linked on trial.
  const linkable =
    number.status === 'UNLINKED' &&
    (number.access === 'ok' || (number.access === 'none' && number.network === 'sandbox'));
  const unwell = unwellFor(number, now);
  return (
    <PageHead
      title={number.name}
      badge={
        <>
          <NumberBadge sign={signOf(number)} />
          {number.network === 'sandbox' && <Tag>{common.sandbox}</Tag>}
        </>
      }
      lead={
        <>
          {number.label && number.phoneText && (
            <span className="whitespace-nowrap tabular-nums">{number.phoneText}. </span>
          )}
          {unwell === null ? wordsOf(number, now).sentence : numbers.noted(unwell)}
        </>
      }
      actions={
        <>
          {number.network === 'sandbox' && (
            <ButtonLink href={`/sandbox/${number.id}`}>{texts.openPhone}</ButtonLink>
          )}
          {number.held ? (
            <Button
              busy={release.isPending}
              onClick={() =>
                release.mutate(
                  { numberId: number.id },
                  { onSuccess: () => done(numbers.releaseDone(number.name)) },
                )
              }
            >
              <Play />
              {texts.release}
            </Button>
          ) : (
            number.status === 'CONNECTED' && (
              <Button
                busy={hold.isPending}
                onClick={() =>
                  hold.mutate(
                    { numberId: number.id },
                    {
                      onSuccess: () => done(numbers.holdDone(number.name), numbers.holdText),
                    },
                  )
                }
              >
                <Pause />
                {texts.hold}
              </Button>
            )
          )}
          {(linkable || linking) && number.replacementPhone === null && (
            <ButtonLink variant="primary" href={`/numbers/${number.id}/link`}>
              <QrCode />
              {linking ? texts.continueLinking : linkWord}
            </ButtonLink>
          )}
          <NumberMenu number={number} />
        </>
      }
    />
  );
}

function Keys({ number }: { number: NumberItem }) {
  const { keys } = useKeysOf(number.id);
  return (
    <Section
      title={texts.keys}
      aside={
        <ButtonLink size="small" href={`/keys?create=${number.id}`}>
          <Plus />
          {texts.keyCreate}
        </ButtonLink>
      }
    >
      <Card>
        {!keys && <SkeletonRows rows={1} />}
        {keys?.length === 0 && <p className="px-4 py-3.5 text-13 text-ink-2">{texts.keysEmpty}</p>}
        <ul>
          {keys?.map((key) => (
            <li
              key={key.id}
              className="flex h-10 items-center gap-2.5 border-line-soft px-4 text-13 [&+&]:border-t"
            >
              <Key className="size-3.5 shrink-0 text-ink-3" />
              <Link href="/keys" className="min-w-0 flex-1 truncate font-medium hover:underline">
                {key.name}
              </Link>
              <span className="font-mono text-12 text-ink-2">{key.hint}</span>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Details({ number }: { number: NumberItem }) {
  const me = useMe();
  const copied = 'flex min-w-0 items-center gap-1';
  return (
    <Section title={texts.facts}>
      <Card>
        <DescriptionList
          rows={[
            [
              texts.instance,
              <span key="instance" className={copied}>
                <span className="truncate font-mono text-12">{number.id}</span>
                <CopyButton text={number.id} label={texts.copyInstance} />
              </span>,
            ],
            [
              texts.phone,
              number.phoneText ? (
                <span key="phone" className={copied}>
                  {number.phoneText}
                  <CopyButton text={number.phoneNumber ?? ''} label={texts.copyPhone} />
                </span>
              ) : (
                texts.noPhone
              ),
            ],
            ...(me.sandbox ? [[texts.network, texts.networks[number.network]] as const] : []),
            [texts.added, <Time key="added" at={number.createdAt} seconds={false} />],
          ]}
        />
      </Card>
    </Section>
  );
}

/** The switch that limits new people. */
function ProtectionCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { failed, refresh } = useFeedback();
  const protect = useMutation(
    trpc.numbers.setProtection.mutationOptions({
      onSuccess: () => refresh(trpc.numbers.pathFilter()),
      onError: failed,
    }),
  );
  const on = protect.isPending ? protect.variables.on : number.protected;
  return (
    <Card className="flex items-start justify-between gap-4 p-4 text-13">
      <div className="min-w-0">
        <h3>{protection.protect}</h3>
        <p className="mt-1 text-ink-2">{on ? protection.on : protection.off}</p>
      </div>
      <Switch
        label={protection.protect}
        checked={on}
        disabled={protect.isPending}
        onChange={(wanted) => protect.mutate({ numberId: number.id, on: wanted })}
      />
    </Card>
  );
}
