'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, CardFoot, Empty } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { useTRPCClient } from '#app/_trpc/client.ts';
import { FirstRequest } from './first-request.tsx';
import { type Step, setUp, stepsOf } from './set-up.ts';
import { firstMessage as texts } from './words.ts';

/** Number, phone, key and the first request on one page. */
export function FirstMessage() {
  const me = useMe();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const trial = usePlan().trial !== null;
  const steps = stepsOf(trial);
  const [step, setStep] = useState<Step | null>(null);
  const make = useMutation({
    mutationFn: () => setUp(client, { trial, onStep: setStep }),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      {!me.sandbox && (
        <Card>
          <Empty
            icon={<FlaskConical />}
            title={texts.off}
            action={
              <ButtonLink variant="primary" href="/numbers/new">
                {texts.offDo}
              </ButtonLink>
            }
          />
        </Card>
      )}
      {me.sandbox && (
        <Card className="max-w-[860px]">
          <ol aria-label={texts.title}>
            {steps.map((one) => (
              <StepRow
                key={one}
                step={one}
                state={
                  make.data || isBefore(steps, one, step)
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
              <Button
                variant="primary"
                busy={make.isPending}
                className="self-start"
                onClick={() => make.mutate()}
              >
                {make.error ? texts.again : texts.begin(steps.length)}
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

function StepRow({ step, state }: { step: Step; state: keyof typeof SIGNS }) {
  return (
    <li
      aria-current={state === 'now' ? 'step' : undefined}
      className="flex items-start gap-3 border-b border-line-soft px-4 py-3 text-13 last:border-0"
    >
      <StatusIcon {...SIGNS[state]} size={16} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <b className="text-14 font-medium">{texts.steps[step].title}</b>
        <p className="text-ink-2">{texts.steps[step].text}</p>
      </div>
    </li>
  );
}
