import type { Tone } from '#app/_components/ui/status-icon.tsx';
import { day } from '#app/_components/ui/time.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { planEnding } from './plan-ending.ts';
import { type SendingPlan, sendsNow } from './sends-now.ts';
import { planStates as states } from './state-words.ts';

/** Why an account can send nothing now, in the dashboard too; null if it can, also in a trial. */
export function whyNothingIsSent(plan: SendingPlan): string | null {
  if (sendsNow(plan)) return null;
  const { suspended, none, ended } = states.refusal;
  if (plan.suspended) return suspended;
  return plan.state === 'none' ? none : ended;
}

/** A plan's state in words, and what it means for messages. */
export function planSentence(
  plan: SendingPlan &
    Pick<Outputs['account']['plan'], 'paidUntil' | 'numbersUsed' | 'numbersIncluded' | 'ends' | 'endsSoon'>,
): { tone: Tone; title: string; text: string } {
  if (plan.suspended) return { tone: 'fail', ...states.suspended };
  const until = plan.paidUntil ? day(plan.paidUntil) : '';
  const ends = plan.ends ?? '';
  switch (plan.state) {
    case 'none':
      if (plan.trial)
        return { tone: 'mute', title: states.trial.title, text: states.trial.text(plan.trial.messagesLeft) };
      return { tone: 'mute', ...states.none };
    case 'active':
      if (plan.numbersUsed > plan.numbersIncluded)
        return {
          tone: 'warn',
          title: states.active.title(until),
          text: states.beyond(plan.numbersUsed - plan.numbersIncluded),
        };
      return {
        tone: plan.endsSoon ? 'warn' : 'ok',
        title: states.active.title(until),
        text: planEnding(ends),
      };
    case 'grace':
      return { tone: 'warn', title: states.grace.title(ends), text: states.grace.text(until) };
    case 'expired':
      return { tone: 'fail', title: states.expired.title(ends), text: states.expired.text(until) };
    case 'ended':
      return { tone: 'fail', ...states.ended };
    default:
      return plan.state satisfies never;
  }
}
