import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';
import type { Question } from './confirm-parts.tsx';
import { lazyPart } from './lazy-part.tsx';
import { useReadOnly } from './read-only.ts';
import { type TriggerProps, withTrigger } from './trigger.ts';

const fetchConfirm = () => import('./confirm-parts.tsx');
const fetchQuietly = () => void fetchConfirm().catch(() => undefined);
const OpenConfirm = lazyPart(fetchConfirm);

/**
 * Asks before an irreversible action and lists what stops, what is cancelled and what stays. Stays open while
 * `onConfirm` runs and shows its rejection. Its code loads when the user gets near the trigger.
 */
export function Confirm({
  trigger,
  open,
  onOpenChange,
  ...question
}: Question & {
  trigger?: ReactElement<TriggerProps>;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children?: ReactNode;
}) {
  const readOnly = useReadOnly();
  const [inner, setInner] = useState(false);
  const show = (next: boolean) => {
    setInner(next);
    onOpenChange?.(next);
  };
  return (
    <>
      {trigger &&
        cloneElement(trigger, {
          ...withTrigger(trigger, {
            'aria-haspopup': 'dialog',
            onPointerEnter: fetchQuietly,
            onFocus: fetchQuietly,
            onClick: () => show(true),
          }),
          ...(readOnly ? { disabled: true } : {}),
        })}
      {(open ?? inner) && <OpenConfirm {...question} onClose={() => show(false)} />}
    </>
  );
}
