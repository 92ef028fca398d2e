import { type ReactElement, useState } from 'react';
import type { Question } from './confirm-parts.tsx';
import { lazyPart } from './lazy-part.tsx';
import { useReadOnly } from './read-only.ts';
import { type TriggerProps, withProps } from './trigger.ts';

const fetchConfirm = () => import('./confirm-parts.tsx');
const fetchQuietly = () => void fetchConfirm().catch(() => undefined);

/**
 * Asks before an irreversible action and lists what stops, what is cancelled and what stays. Stays open while
 * `onConfirm` runs and shows its rejection.
 */
export const ConfirmDialog = lazyPart(fetchConfirm);

/** A button that asks first. The code of the dialog loads when the user gets near the button. */
export function Confirm({ trigger, ...question }: Question & { trigger: ReactElement<TriggerProps> }) {
  const readOnly = useReadOnly();
  const [open, setOpen] = useState(false);
  return (
    <>
      {withProps(trigger, {
        'aria-haspopup': 'dialog',
        onPointerEnter: fetchQuietly,
        onFocus: fetchQuietly,
        onClick: () => setOpen(true),
        ...(readOnly && { disabled: true }),
      })}
      {open && <ConfirmDialog {...question} onClose={() => setOpen(false)} />}
    </>
  );
}
