'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPCClient } from '#app/_trpc/client.ts';
import { planWorks } from '#server/core/access.ts';
import { FirstRequest } from './first-request.tsx';
import { doneBefore, remaining, type Step, sandboxNumberOf, setUp, stepsOf } from './set-up.ts';
import { firstMessage as texts } from './words.ts';

/** Number, phone, key and the first request on one page. */
export function FirstMessage() {
  const me = useMe();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const plan = usePlan();
  const trial = plan.trial !== null;
  const takes = trial ? texts.onTrial : planWorks(plan.state) ? texts.counts : '';
  const steps = stepsOf(trial);
  const [step, setStep] = useState<Step | null>(null);
  // As it was when the page opened: the button keeps its words while it works.
  const [before] = useState(sandboxNumberOf(useNumbers()));
  const existing = doneBefore(before);
  const make = useMutation({
    mutationFn: () => setUp(client, { trial, onStep: setStep }),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      {!me.sandbox && (
        <Card>
          <Empty icon={<FlaskConical />} {...texts.off} href="/numbers/new" />
        </Card>
      )}
      {me.sandbox && (
        <Card className="max-w-[860px]">
          <ol aria-label={texts.title}>
            {steps.map((one) => (
              <StepRow
                key={one}
                step={one}
                takes={takes}
                state={
                  make.data || isBefore(steps, one, step) || (step === null && existing.includes(one))
                    ? 'done'
                    : make.isPending && one === step
                      ? 'now'
                      : 'open'
                }
              />
            ))}
          </ol>
          {!make.data && (
            <CardFoot className="flex-col! items-stretch! gap-3!">
              <Failure error={make.error} assertive />
              {before && existing.length === 2 && (
                <p className="text-13 text-ink-2">{texts.exist(before.name, !trial)}</p>
              )}
              <Button
                variant="primary"
                busy={make.isPending}
                className="self-start"
                onClick={() => make.mutate()}
              >
                {make.error ? texts.again : texts.begin[remaining(trial, existing)]}
              </Button>
            </CardFoot>
          )}
        </Card>
      )}
      {make.data && <FirstRequest {...make.data} />}
    </>
  );
}

const isBefore = (steps: readonly Step[], one: Step, step: Step | null) =>
  step !== null && steps.indexOf(one) < steps.indexOf(step);

const SIGNS = {
  done: { shape: 'done', tone: 'ok' },
  now: { shape: 'quarter', tone: 'brand' },
  open: { shape: 'ring', tone: 'mute' },
} as const;

function StepRow({ step, state, takes }: { step: Step; state: keyof typeof SIGNS; takes: string }) {
  return (
    <li
      aria-current={state === 'now' ? 'step' : undefined}
      className="flex items-start gap-3 border-b border-line-soft px-4 py-3 text-13 last:border-0"
    >
      <StatusIcon {...SIGNS[state]} size={16} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <b className="text-14 font-medium">{texts.steps[step].title}</b>
        <p className="text-ink-2">
          {texts.steps[step].text}
          {step === 'number' && ` ${takes}`}
        </p>
      </div>
    </li>
  );
}
