import { isLinkable, type NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { type Me, useMe } from '#app/_features/shell/me.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { overview } from './words.ts';

const texts = overview.steps;
type Data = Pick<Outputs['account']['overview'], 'progress' | 'setUp'>;

export interface Step {
  key: string;
  done: boolean;
  title: string;
  text: string;
  href: string;
  do: string;
}

/** {@link stepsOf} for the signed-in user. */
export const useSteps = (data: Data): Step[] =>
  stepsOf({ ...data, me: useMe(), plan: usePlan(), numbers: useNumbers() });

/**
 * What a new account does to get started, in this order. An administrator also sets up the installation. Which steps
 * there are does not depend on the states of numbers and messages, so that none comes and goes.
 */
export function stepsOf({
  progress,
  setUp,
  me,
  plan,
  numbers,
}: Data & { me: Me; plan: Me['plan']; numbers: NumberItem[] }): Step[] {
  const { pay, mail, key, phone, send } = texts;
  const unlinked = numbers.find((number) => number.network === 'whatsapp' && isLinkable(number));
  const [first] = numbers;
  // Can, or could, a first message be sent in the sandbox with one click?
  const inSandbox = me.sandbox && (progress.plan || plan.trial !== null || progress.sent);
  const ownPlan = { ...texts.ownPlan, href: `/admin/accounts/${me.account.accountId}` };
  const wanted = progress.planRequested
    ? texts.requested
    : { ...texts.plan, text: texts.plan.text(plan.price) };
  const asked = { ...wanted, href: '/account/plan' };
  const plans = me.admin ? ownPlan : asked;
  const start = { ...texts.first, text: progress.plan ? texts.first.text : texts.first.trialText };
  return [
    ...(inSandbox ? [{ key: 'first', done: progress.sent, ...start, href: '/start' }] : []),
    { key: 'plan', done: progress.plan, ...plans },
    {
      key: 'phone',
      done: progress.phone,
      ...{ title: phone.title, text: progress.plan ? phone.text : phone.needsPlan },
      ...(progress.plan
        ? {
            href: unlinked ? `/numbers/${unlinked.id}/link` : '/numbers/new',
            do: unlinked ? phone.again(unlinked.name) : phone.do,
          }
        : { href: plans.href, do: plans.do }),
    },
    { key: 'key', done: progress.key, ...key, href: first ? `/keys?create=${first.id}` : '/keys' },
    ...(inSandbox ? [] : [{ key: 'send', done: progress.sent, ...send, href: '/keys' }]),
    ...(setUp
      ? [
          { key: 'pay', done: setUp.howToPay, ...pay, href: '/admin/how-to-pay' },
          { key: 'mail', done: setUp.mail, ...mail, href: '/admin/settings' },
        ]
      : []),
  ];
}

/** How far the first message is. */
export function stepsLeftOf(steps: readonly Step[], sent: boolean): number | 'sandbox' {
  if (sent) return 0;
  if (steps.some(({ key }) => key === 'first')) return 'sandbox';
  return steps.filter(({ key, done }) => !done && key !== 'pay' && key !== 'mail').length;
}
