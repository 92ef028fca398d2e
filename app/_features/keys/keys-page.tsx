'use client';

import { useQuery } from '@tanstack/react-query';
import { BookOpen, Plus } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { LanguageTabs } from '#app/_components/ui/language-tabs.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Select } from '#app/_components/ui/select.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { KIND_OPTIONS } from '#app/_features/kinds/kind-labels.ts';
import { IntervalCard } from '#app/_features/numbers/interval-slider.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { EXAMPLE_TO, exampleRequest } from '#server/core/examples.ts';
import { LIMITS } from '#server/core/limits.ts';
import type { MessageType } from '#server/core/message.ts';
import { CreateKey } from './create-key.tsx';
import type { SampleParams } from './curl-command.ts';
import { KeyList } from './key-list.tsx';
import { LANGUAGES, sample } from './samples.ts';
import { Usage } from './usage.tsx';
import { useSampleFiles } from './use-samples.ts';
import { keys as texts } from './words.ts';

/** Everything a developer needs: keys, code, answers, the interval and the limits. */
export function KeysPage() {
  const numbers = useNumbers();
  const router = useRouter();
  const wanted = useSearchParams().get('create');
  const [creating, setCreating] = useState(false);
  const open = creating || (wanted !== null && numbers.length > 0);
  const close = () => {
    setCreating(false);
    if (wanted !== null) router.replace('/keys');
  };
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead}
        actions={
          <>
            <ButtonLink href="/docs">
              <BookOpen />
              {texts.reference}
            </ButtonLink>
            {numbers.length > 0 && (
              <Button variant="primary" changes onClick={() => setCreating(true)}>
                <Plus />
                {texts.create}
              </Button>
            )}
          </>
        }
      />
      <KeyList onCreate={() => setCreating(true)} />
      <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-7">
          <Samples />
          <Answers />
        </div>
        <div className="flex min-w-0 flex-col gap-7">
          <Usage />
          <Interval />
          <Limits />
        </div>
      </div>
      {open && <CreateKey numberId={wanted} onClose={close} />}
    </>
  );
}

function Samples() {
  const me = useMe();
  const files = useSampleFiles();
  const [kind, setKind] = useState<MessageType>('text');
  const id = 'msg_01k9x2w3v4b5n6m7q8r9s0t1u2';
  const answer = `{ "success": true, "data": { "id": "${id}",\n  "to": "${EXAMPLE_TO}@c.us", "type": "${kind}", "status": "sent" } }`;
  return (
    <Section
      title={texts.code.title}
      aside={
        <span className="flex items-center gap-2">
          {texts.code.kind}
          <Select
            compact
            value={kind}
            onChange={setKind}
            aria-label={texts.code.kind}
            options={KIND_OPTIONS}
          />
        </span>
      }
    >
      <CodeTabs base={`${me.publicUrl}/v1`} kind={kind} request={exampleRequest(kind, files)} />
      <p className="text-13 text-ink-2">{texts.code.repeat}</p>
      <Card className="overflow-hidden">
        <div className="flex items-center gap-2 px-4 pt-3 text-13 font-medium">
          <StatusIcon shape="done" tone="ok" />
          200 <span className="font-normal text-ink-3">{texts.code.answer}</span>
        </div>
        <Code text={answer} />
      </Card>
    </Section>
  );
}

function Answers() {
  return (
    <Section
      title={texts.answers.title}
      aside={
        <Link href="/docs" className="text-12 font-medium text-brand-fg hover:underline">
          {texts.answers.all}
        </Link>
      }
    >
      <Card className="py-1">
        <ul>
          {texts.answers.list.map((answer) => (
            <li
              key={answer.status}
              className="grid grid-cols-[38px_minmax(0,1fr)] gap-2.5 border-line-soft px-4 py-[9px] text-13 [&+&]:border-t"
            >
              <Tag tone={answer.tone} mono className="mt-px justify-center">
                {answer.status}
              </Tag>
              <span>
                <b className="font-medium">{answer.title}</b>{' '}
                <span className="text-ink-2">{answer.text}</span>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Interval() {
  const numbers = useNumbers();
  const [chosen, choose] = useState<string>();
  const number = numbers.find(({ id }) => id === chosen) ?? numbers[0];
  if (!number) return null;
  return (
    <Section
      title={texts.interval.title}
      aside={
        <Select
          compact
          value={number.id}
          onChange={choose}
          aria-label={texts.interval.number}
          options={numbers.map(({ id, name }) => ({ value: id, label: name }))}
        />
      }
    >
      <IntervalCard key={number.id} number={number} />
    </Section>
  );
}

function Limits() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.account.limits.queryOptions());
  const count = (value: number) => value.toLocaleString('en');
  const { limits } = texts;
  const pending = <Skeleton className="h-2.5 w-20" />;
  const rows: [string, ReactNode][] = [
    [limits.sends, data ? limits.perMinute(count(data.sendsPerMinute)) : pending],
    [limits.reads, data ? limits.perMinute(count(data.readsPerMinute)) : pending],
    [limits.waiting, data ? limits.messages(count(data.waitingMax)) : pending],
    [limits.text, limits.characters(LIMITS.bodyChars.toLocaleString('en'))],
    [limits.media, limits.megabytes(LIMITS.mediaBytesMax / 1024 / 1024)],
  ];
  return (
    <Section title={limits.title}>
      <Failure error={error} retry={refetch} />
      <Card>
        <DescriptionList apart rows={rows} />
      </Card>
    </Section>
  );
}

function CodeTabs(params: SampleParams) {
  return (
    <LanguageTabs
      languages={LANGUAGES}
      remember="wirebird.language"
      codeIn={(language) => sample(language, params)}
      texts={texts.code}
    />
  );
}
