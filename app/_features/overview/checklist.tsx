import clsx from 'clsx';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { startStep } from '#app/_features/shell/steps-bar.tsx';
import type { Step } from './steps.ts';
import { useStoredSet } from './use-stored-set.ts';
import { overview } from './words.ts';

const texts = overview.steps;
const ALL = 'all';

/**
 * What a new account does, with the next step open. Hidden when all is done, or when the user hides it. `quiet`: no
 * step is open, because something else comes first.
 */
export function Checklist({ steps, quiet = false }: { steps: Step[]; quiet?: boolean }) {
  const { has, add } = useStoredSet('wirebird.checklist');
  const done = steps.filter((step) => step.done).length;
  const open = steps.filter((step) => !step.done && !has(step.key));
  if (has(ALL) || open.length === 0) return null;
  return (
    <Card className="max-w-[860px]">
      <ol aria-label={texts.label}>
        {steps.map((step) => (
          <Row
            key={step.key}
            step={step}
            now={!quiet && step === open[0]}
            skipped={has(step.key)}
            onSkip={() => add(step.key)}
          />
        ))}
      </ol>
      <CardFoot>
        <span>{texts.progress(done, steps.length)}</span>
        <Button variant="ghost" size="small" className="-my-1 -mr-1.5" onClick={() => add(ALL)}>
          {texts.hide}
        </Button>
      </CardFoot>
    </Card>
  );
}

function Row({
  step,
  now,
  skipped,
  onSkip,
}: {
  step: Step;
  now: boolean;
  skipped: boolean;
  onSkip: () => void;
}) {
  const { done, title, text, href, do: action } = step;
  const sign = done
    ? ({ shape: 'done', tone: 'ok' } as const)
    : now
      ? ({ shape: 'quarter', tone: 'brand' } as const)
      : ({ shape: skipped ? 'slash' : 'ring', tone: 'mute' } as const);
  const link = (
    <ButtonLink
      {...(now ? { variant: 'primary' as const } : { size: 'small' as const })}
      href={href}
      onClick={startStep}
    >
      {action}
    </ButtonLink>
  );
  return (
    <li
      aria-current={now ? 'step' : undefined}
      className={clsx(
        'flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line-soft px-4 py-3.5 text-13 first:rounded-t-[9px] last:border-0',
        now && 'bg-brand-bg',
      )}
    >
      <span className="mt-0.5">
        <StatusIcon {...sign} size={16} />
      </span>
      <div className="min-w-0 flex-1 basis-[220px]">
        <b className={clsx('text-14 font-medium', (done || skipped) && 'text-ink-3')}>{title}</b>
        {skipped && !done && <span className="ml-2 text-12 text-ink-3">{texts.skipped}</span>}
        {!done && !skipped && <p className="mt-0.5 max-w-[60ch] text-ink-2">{text}</p>}
        {now && (
          <div className="mt-3 flex gap-2">
            {link}
            <Button variant="ghost" onClick={onSkip}>
              {texts.skip}
            </Button>
          </div>
        )}
      </div>
      {!now && !done && <div className="max-sm:ml-7">{link}</div>}
    </li>
  );
}
