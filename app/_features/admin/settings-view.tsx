'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Landmark, Lock, Mail } from 'lucide-react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { plan } from '#app/_features/plan/words.ts';
import { PageHead } from '#app/_features/shell/page.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { operation } from './operation-words.ts';

const texts = operation.settings;
type Setting = Outputs['admin']['settings'][number];

/** The current settings, what each does, and where its value comes from. */
export function SettingsView() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.admin.settings.queryOptions());
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead}
        actions={
          <>
            <TestMail />
            <ButtonLink href="/admin/how-to-pay">
              <Landmark />
              {plan.howToPay.title}
            </ButtonLink>
          </>
        }
      />
      <Failure error={error} retry={refetch} />
      {!data && !error && (
        <Card>
          <SkeletonRows rows={10} />
        </Card>
      )}
      {data && texts.groups.map((group) => <Group key={group.title} group={group} settings={data} />)}
    </>
  );
}

/** The settings of one purpose. Settings for tests are shown only if the environment sets them. */
function Group({ group, settings }: { group: (typeof texts.groups)[number]; settings: Setting[] }) {
  const meanings = new Map(Object.entries(group.meanings));
  const isForTests = group === texts.groups.at(-1);
  const shown = settings.filter(
    ({ name, source }) => meanings.has(name) && (!isForTests || source === 'environment'),
  );
  if (shown.length === 0) return null;
  return (
    <Section title={group.title}>
      <Card>
        <ul aria-label={group.title}>
          {shown.map((setting) => (
            <li
              key={setting.name}
              className="grid grid-cols-1 gap-x-5 gap-y-1 border-line-soft px-4 py-3 text-13 md:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] md:items-start [&+&]:border-t"
            >
              <div className="min-w-0">
                <h3 className="font-mono text-12 font-medium">{setting.name}</h3>
                <p className="mt-0.5 text-ink-2">{meanings.get(setting.name)}</p>
              </div>
              <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
                <Value setting={setting} />
                {!(setting.secret && setting.source === 'default') && (
                  <Tag tone={setting.source === 'environment' ? 'brand' : 'mute'}>
                    {texts.sources[setting.source]}
                  </Tag>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Value({ setting: { secret, source, value } }: { setting: Setting }) {
  if (secret)
    return (
      <span className="inline-flex items-center gap-1.5 text-ink-3">
        <Lock className="size-3.5" />
        {source === 'default' ? texts.secretNone : texts.secret}
      </span>
    );
  if (value === null) return <span className="text-ink-3">{texts.none}</span>;
  return <span className="min-w-0 font-mono text-12 break-all">{value}</span>;
}

/** Mails the administrator a test, and says why when it fails. */
function TestMail() {
  const trpc = useTRPC();
  const { done, failed } = useFeedback();
  const send = useMutation(
    trpc.admin.sendTestMail.mutationOptions({
      onSuccess: ({ to }) => done(texts.testMail.done(to)),
      onError: failed,
    }),
  );
  return (
    <Button busy={send.isPending} onClick={() => send.mutate()}>
      <Mail />
      {texts.testMail.send}
    </Button>
  );
}
