'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { AppWindow } from 'lucide-react';
import { Badge, Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SelectField } from '#app/_components/ui/select-field.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { duration, Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { BuildKinds } from './build-kinds.tsx';
import { builds as texts } from './build-words.ts';
import { FactRow } from './fact-row.tsx';

/** Polled, because no stream reports what workers write. The counts cover a day of messages. */
const LOOK_MS = 10_000;
type PageBuilds = Outputs['admin']['builds'];
type Build = PageBuilds['builds'][number];

/** The builds of WhatsApp Web, the state of each, and which number tries new ones first. */
export function BuildList() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.admin.builds.queryOptions(undefined, { refetchInterval: LOOK_MS, staleTime: 0 }),
  );
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Failure error={error} retry={refetch} />
      {data && <Choices data={data} />}
      <Card aria-label={texts.list}>
        {!data && !error && <SkeletonRows rows={3} />}
        {data?.builds.length === 0 && <Empty icon={<AppWindow />} {...texts.none} />}
        <ul>
          {data?.builds.map((build) => (
            <Row key={`${build.network} ${build.version}`} build={build} />
          ))}
        </ul>
      </Card>
      {(data?.builds.length ?? 0) > 0 && (
        <p className="text-12 text-ink-3">
          {texts.figures} <TimesIn />
        </p>
      )}
    </>
  );
}

const ANY = 'any';

function Choices({ data: { setting, triesFirst, triers } }: { data: PageBuilds }) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const save = useMutation(
    trpc.admin.triesFirst.mutationOptions({
      onSuccess: () => done(texts.triesFirst.saved),
      onError: failed,
      onSettled: () => refresh({ queryKey: trpc.admin.builds.queryKey() }),
    }),
  );
  const shown = triers.some(({ id }) => id === triesFirst) ? triesFirst : null;
  return (
    <Card className="flex flex-col gap-3.5 px-4 py-3.5">
      <p className="text-13 text-ink-2">{texts.setting(setting)}</p>
      {setting === 'latest' && (
        <div className="max-w-[380px]">
          <SelectField
            label={texts.triesFirst.label}
            help={shown && texts.triesFirst.help}
            value={shown ?? ANY}
            onChange={(numberId) => save.mutate({ numberId: numberId === ANY ? null : numberId })}
            options={[
              { value: ANY, label: texts.triesFirst.any },
              ...triers.map(({ id, name, accountName }) => ({
                value: id,
                label: `${name} · ${accountName}`,
              })),
            ]}
          />
        </div>
      )}
    </Card>
  );
}

function Row({ build }: { build: Build }) {
  const { columns } = texts;
  const count = (figure: number) => figure.toLocaleString('en');
  const facts: [string, React.ReactNode][] = [
    [columns.numbers, count(build.numbers)],
    [columns.since, <Time key="since" at={build.firstSeenAt} seconds={false} />],
    [columns.test, <Tested key="test" build={build} />],
    [columns.sent, count(build.sent)],
    [columns.failed, count(build.failed)],
    [columns.unknown, count(build.unknown)],
    [columns.ack, build.ackMs === null ? '–' : texts.milliseconds(count(Math.round(build.ackMs)))],
  ];
  const why = buildReason(build);
  return (
    <FactRow facts={facts} columns="lg:grid lg:grid-cols-[84px_112px_150px_40px_44px_60px_92px] lg:gap-x-4">
      <span className="flex max-w-full flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <b className="truncate font-medium font-mono text-12">{build.version}</b>
        <State build={build} />
        {build.network === 'sandbox' && <Tag>{texts.sandbox}</Tag>}
        {build.kept && (
          <span title={texts.keptHelp}>
            <Tag>{texts.kept}</Tag>
          </span>
        )}
      </span>
      {why && <p className="max-w-full text-12 text-ink-2">{why}</p>}
      <BuildKinds kinds={build.kinds} />
      {build.state === 'failed' && <TryAgain build={build} />}
    </FactRow>
  );
}

const TONES = { good: 'ok', tried: 'wait', failed: 'fail', unserved: 'mute', unproven: 'warn' } as const;

function State({ build: { state, tryingNumber } }: { build: Build }) {
  const words = state === 'tried' && tryingNumber ? texts.triedBy(tryingNumber) : texts.states[state];
  return <Badge tone={TONES[state]}>{words}</Badge>;
}

function Tested({ build: { verdict, testedAt } }: { build: Build }) {
  if (verdict === null || testedAt === null) return texts.untested;
  return (
    <>
      {verdict === 'passed' ? texts.passed : texts.notPassed} <Time at={testedAt} seconds={false} />
    </>
  );
}

function TryAgain({ build: { network, version } }: { build: Build }) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const again = useMutation(
    trpc.admin.tryBuildAgain.mutationOptions({
      onSuccess: ({ number }) => done(number === null ? texts.tryingNext : texts.trying(number)),
      onError: failed,
      onSettled: () => refresh({ queryKey: trpc.admin.builds.queryKey() }),
    }),
  );
  return (
    <Button busy={again.isPending} onClick={() => again.mutate({ network, version })}>
      {texts.tryAgain}
    </Button>
  );
}

/** Why a build is in its state, and when a trial ends; null for a good build. */
export function buildReason(
  build: Pick<Build, 'state' | 'verdict' | 'failedCheck' | 'tryingLeftMs'>,
): string | null {
  const { state, verdict, failedCheck, tryingLeftMs } = build;
  if (state === 'failed') return texts.failedCheck(failedCheck ?? '');
  if (state === 'tried')
    return texts.tried[verdict === 'passed' ? 'passed' : 'untested'](duration(tryingLeftMs));
  return texts.why[state];
}
