'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Switch } from '#app/_components/ui/switch.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { health as texts } from './health-words.ts';
import type { NumberItem } from './number-sentence.ts';

type Health = Outputs['numbers']['health'];

const SIGNS = {
  good: { tone: 'tone-ok', shape: 'done' },
  watch: { tone: 'tone-warn', shape: 'warning' },
  limited: { tone: 'tone-fail', shape: 'cross' },
} as const;

/** A number's health at WhatsApp: one sentence, what to do, and the protection switch. */
export function HealthCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { failed, refresh } = useFeedback();
  const { data } = useQuery(trpc.numbers.health.queryOptions({ numberId: number.id }));
  const protect = useMutation(
    trpc.numbers.setProtection.mutationOptions({
      onSuccess: () => refresh(trpc.numbers.pathFilter()),
      onError: failed,
    }),
  );
  const on = protect.isPending ? protect.variables.on : number.protected;
  return (
    <Section title={texts.title}>
      <Card>
        {data ? <Standing health={data} /> : <SkeletonRows rows={3} />}
        <CardFoot className="items-start!">
          <span className="min-w-0">
            <b className="block text-13 font-medium text-ink">{texts.protect}</b>
            {on ? texts.on : texts.off}
          </span>
          <Switch
            label={texts.protect}
            checked={on}
            disabled={protect.isPending}
            onChange={(wanted) => protect.mutate({ numberId: number.id, on: wanted })}
          />
        </CardFoot>
      </Card>
    </Section>
  );
}

function Standing({ health }: { health: Health }) {
  const { level, sentence, todo, newContacts, timelock, lately, linkedAt } = health;
  const { limit, nextAt, used, budget } = newContacts;
  const { tone, shape } = SIGNS[level];
  const endless = limit === 'timelock' && timelock?.until === null;
  return (
    <>
      <div className={`${tone} flex items-start gap-2.5 px-4 pt-3.5 text-13 [--cut:var(--raised)]`}>
        <StatusIcon shape={shape} className="mt-[3px] shrink-0" />
        <p className="min-w-0">
          {sentence}
          {todo && <span className="mt-1 block text-ink-2">{todo}</span>}
        </p>
      </div>
      <DescriptionList
        rows={[
          ...(nextAt && limit
            ? [
                [
                  texts.limits[limit],
                  endless ? texts.noEnd : <Time key="until" at={nextAt} seconds={false} />,
                ] as const,
              ]
            : []),
          [texts.newPeople, budget === null ? texts.noBudget(used) : texts.budget(used, budget)],
          [texts.newShare, texts.newOf(lately.newPeople, lately.people)],
          [texts.notTaken, texts.notTakenOf(lately.notTaken, lately.messages)],
          [texts.linked, linkedAt ? <Time key="linked" at={linkedAt} ago /> : texts.never],
        ]}
      />
    </>
  );
}
