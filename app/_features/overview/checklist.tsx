'use client';

import clsx from 'clsx';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { isLinkable } from '#app/_features/numbers/number-sentence.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { overview } from './words.ts';

const texts = overview.steps;

export interface Step {
  key: string;
  done: boolean;
  title: string;
  text: string;
  /** Where to do it; absent while another step comes first. */
  href?: string;
  action?: string;
}

/** The steps from a new account to its first message. */
export function useSteps(progress: Outputs['account']['overview']['progress']): Step[] {
  const me = useMe();
  const numbers = useNumbers();
  const unlinked = numbers.find(isLinkable);
  const first = numbers[0];
  const plan: Step = me.admin
    ? {
        key: 'plan',
        done: progress.plan,
        title: texts.plan.admin,
        text: texts.plan.adminText,
        href: `/admin/accounts/${me.account.accountId}`,
        action: texts.plan.adminDo,
      }
    : {
        key: 'plan',
        done: progress.plan,
        title: texts.plan.member,
        text: texts.plan.memberText(me.plan.price),
        href: '/account/plan',
        action: texts.plan.memberDo,
      };
  return [
    plan,
    {
      key: 'add',
      done: progress.added,
      title: texts.add.title,
      text: texts.add.text,
      href: '/numbers/new',
      action: texts.add.do,
    },
    {
      key: 'link',
      done: progress.linked,
      title: texts.link.title,
      text: texts.link.text,
      ...(unlinked ? { href: `/numbers/${unlinked.id}/link`, action: texts.link.do(unlinked.name) } : {}),
    },
    {
      key: 'key',
      done: progress.key,
      title: texts.key.title,
      text: texts.key.text,
      ...(first ? { href: `/keys?create=${first.id}`, action: texts.key.do } : {}),
    },
    {
      key: 'send',
      done: progress.sent,
      title: texts.send.title,
      text: texts.send.text,
      href: '/keys',
      action: texts.send.do,
    },
  ];
}

/** The steps, with the next one open. Hidden when all are done, or when the user hides it. */
export function Checklist({ steps }: { steps: Step[] }) {
  const [hidden, hide] = useHidden();
  const done = steps.filter((step) => step.done).length;
  if (hidden || done === steps.length) return null;
  const now = steps.findIndex((step) => !step.done);
  return (
    <Card className="max-w-[860px]">
      <ol>
        {steps.map((step, index) => (
          <Row key={step.key} step={step} now={index === now} />
        ))}
      </ol>
      <CardFoot>
        <span>{texts.progress(done, steps.length)}</span>
        <Button variant="ghost" size="small" className="-my-1 -mr-1.5" onClick={hide}>
          {texts.hide}
        </Button>
      </CardFoot>
    </Card>
  );
}

function Row({ step, now }: { step: Step; now: boolean }) {
  let sign: ReactNode = <StatusIcon shape="ring" tone="mute" size={16} />;
  if (step.done) sign = <StatusIcon shape="done" tone="ok" size={16} />;
  else if (now) sign = <StatusIcon shape="quarter" tone="brand" size={16} />;
  return (
    <li
      aria-current={now ? 'step' : undefined}
      className={clsx(
        'flex items-start gap-3 border-b border-line-soft px-4 py-3.5 text-13 first:rounded-t-[9px] last:border-0',
        now && 'bg-brand-bg',
      )}
    >
      <span className="mt-0.5">{sign}</span>
      <div className="min-w-0 flex-1">
        <b className={clsx('text-14 font-medium', step.done && 'text-ink-3')}>{step.title}</b>
        {!step.done && <p className="mt-0.5 max-w-[60ch] text-ink-2">{step.text}</p>}
        {now && step.href && (
          <ButtonLink variant="primary" className="mt-3" href={step.href}>
            {step.action}
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

const KEY = 'wirebird.checklist';
const listeners = new Set<() => void>();

function useHidden(): [boolean, () => void] {
  const { account } = useMe();
  const key = `${KEY}.${account.accountId}`;
  const hidden = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(key) === 'hidden',
    () => false,
  );
  const hide = () => {
    localStorage.setItem(key, 'hidden');
    for (const listener of listeners) listener();
  };
  return [hidden, hide];
}
