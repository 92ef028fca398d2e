import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { overview } from '#app/_features/overview/words.ts';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { planSentence } from './plan-sentence.ts';

/**
 * Shown before everything else about a number: the plan is inactive or ends soon, or the account is suspended.
 */
export function PlanStopped() {
  const plan = usePlan();
  const { tone, title, text } = planSentence(plan);
  return (
    <Note
      tone={tone}
      title={title}
      action={<ButtonLink href="/account/plan">{overview.verdict.openPlan}</ButtonLink>}
    >
      {text}
    </Note>
  );
}
