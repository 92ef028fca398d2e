import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Checkbox } from '#app/_components/ui/choice.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { numbers as numberTexts } from '#app/_features/numbers/words.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { plan as planTexts } from './words.ts';

const texts = planTexts.keep;

/** More numbers are linked than the plan includes: an owner chooses which ones keep sending. */
export function KeepNumbers({ plan }: { plan: Outputs['account']['plan'] }) {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const me = useMe();
  const counted = useNumbers().filter((number) => number.phoneNumber !== null);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const keep = useMutation(trpc.account.keepNumbers.mutationOptions({ onSuccess: () => refresh() }));
  const owner = me.account.role === 'owner';
  const most = plan.numbersIncluded;
  const now = counted.filter(({ withinPlan }) => withinPlan).map(({ id }) => id);
  const stay = chosen ?? now;
  const namesOf = (numbers: NumberItem[]) => numbers.map(({ name }) => name).join(', ') || texts.nobody;
  const changed = stay.length !== now.length || stay.some((id) => !now.includes(id));
  return (
    <Section title={texts.title}>
      <Card>
        <p className="max-w-[76ch] px-4 pt-3.5 text-13 text-ink-2">{texts.lead(plan.numbersUsed, most)}</p>
        <fieldset className="mt-2" disabled={!owner}>
          <legend className="sr-only">{texts.legend}</legend>
          {counted.map((number) => {
            const on = stay.includes(number.id);
            return (
              <div
                key={number.id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-0.5 border-t border-line-soft px-4 py-2.5 text-13 first-of-type:border-t-0"
              >
                <Checkbox
                  checked={on}
                  disabled={!on && stay.length >= most}
                  onChange={(next) =>
                    setChosen(next ? [...stay, number.id] : stay.filter((id) => id !== number.id))
                  }
                >
                  <span className="font-medium">{number.name}</span>{' '}
                  {number.label && (
                    <span className="ml-2 whitespace-nowrap text-ink-3 tabular-nums">{number.phoneText}</span>
                  )}
                </Checkbox>
                <span className="text-12 text-ink-3 max-sm:pl-6">
                  {number.withinPlan ? texts.stays : texts.stopped}
                  {number.waiting > 0 && `, ${numberTexts.waiting(number.waiting)}`}
                </span>
              </div>
            );
          })}
        </fieldset>
        <CardFoot>
          <span className="tabular-nums">{owner ? texts.chosen(stay.length, most) : texts.ownerOnly}</span>
          {owner && (
            <Confirm
              trigger={
                <Button variant="primary" disabled={!changed || stay.length === 0}>
                  {texts.submit}
                </Button>
              }
              title={texts.confirmTitle}
              ends={[texts.ends(namesOf(counted.filter(({ id }) => !stay.includes(id))))]}
              stays={[texts.sends(namesOf(counted.filter(({ id }) => stay.includes(id)))), texts.linked]}
              keep={texts.back}
              submit={texts.submit}
              onConfirm={async () => {
                const { cancelled } = await keep.mutateAsync({ numberIds: stay });
                setChosen(null);
                done(texts.done, texts.cancelled(cancelled));
              }}
            />
          )}
        </CardFoot>
      </Card>
    </Section>
  );
}
