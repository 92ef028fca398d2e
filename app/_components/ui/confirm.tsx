'use client';

import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { Question } from './confirm-parts.tsx';
import { opening } from './dialog.tsx';
import { useReadOnly } from './read-only.ts';
import type { TriggerProps } from './trigger.ts';

const fetchConfirm = () => import('./confirm-parts.tsx');
const OpenConfirm = lazy(fetchConfirm);

/**
 * Asks before an irreversible action and lists what stops, what is cancelled and what stays. Stays open while
 * `onConfirm` runs and shows its rejection.
 */
export function Confirm({
  trigger,
  open,
  onOpenChange,
  children,
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
          ...opening(trigger, fetchConfirm, () => show(true)),
          ...(readOnly ? { disabled: true } : {}),
        })}
      {(open ?? inner) && (
        <Suspense fallback={null}>
          <OpenConfirm {...question} onClose={() => show(false)}>
            {children}
          </OpenConfirm>
        </Suspense>
      )}
    </>
  );
}
