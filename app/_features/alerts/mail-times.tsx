'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Segments } from '#app/_components/ui/choice.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { ALERT_TOPICS, MAIL_TIMES } from '#server/core/alert.ts';
import { mailTimes as texts } from './mail-times-words.ts';
import { setsUpMail } from './words.ts';

/** When alerts are mailed to the user, topic by topic. */
export function MailTimes() {
  const trpc = useTRPC();
  const { admin } = useMe();
  const { done, refresh } = useFeedback();
  const { data, error, refetch } = useQuery(trpc.user.mailTimes.queryOptions());
  const set = useMutation(
    trpc.user.setMailTime.mutationOptions({
      onSuccess: () => done(texts.saved),
      onSettled: () => refresh({ queryKey: trpc.user.mailTimes.queryKey() }),
    }),
  );
  // Shows the user's choice before the server has answered.
  const chosen = { ...data?.times, ...(set.isPending && { [set.variables.topic]: set.variables.time }) };
  return (
    <Section title={texts.title}>
      <Failure error={error} retry={refetch} />
      <Failure error={set.error} assertive />
      <Card>
        {!data && !error && <SkeletonRows rows={3} />}
        {data && (
          <ul>
            {ALERT_TOPICS.filter((topic) => admin || topic !== 'server').map((topic) => (
              <li
                key={topic}
                className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line-soft px-4 py-3 text-13 [&+&]:border-t"
              >
                <div className="min-w-[180px] flex-1">
                  <p className="font-medium">{texts.topics[topic].name}</p>
                  <p className="text-12 text-ink-3">{texts.topics[topic].help}</p>
                </div>
                <Segments
                  label={texts.label(texts.topics[topic].name)}
                  value={chosen[topic] ?? 'now'}
                  onChange={(time) => set.mutate({ topic, time })}
                  options={MAIL_TIMES.map((time) => ({ value: time, label: texts.times[time] }))}
                />
              </li>
            ))}
          </ul>
        )}
        <CardFoot>{data && !data.mailed ? `${texts.off} ${setsUpMail(admin)}` : texts.help}</CardFoot>
      </Card>
    </Section>
  );
}
