'use client';

import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { DialogContent } from './dialog-parts.tsx';
import { type TriggerProps, withTrigger } from './trigger.ts';

const fetchDialog = () => import('./dialog-parts.tsx');
const OpenDialog = lazy(fetchDialog);

/** A question or a form over the page. Escape, the cross or a click outside closes it. */
export function Dialog({
  open,
  onOpenChange,
  trigger,
  children,
  ...content
}: DialogContent & {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger?: ReactElement<TriggerProps>;
  children?: ReactNode;
}) {
  const [inner, setInner] = useState(false);
  const show = (next: boolean) => {
    setInner(next);
    onOpenChange?.(next);
  };
  return (
    <>
      {trigger &&
        cloneElement(
          trigger,
          opening(trigger, fetchDialog, () => show(true)),
        )}
      {(open ?? inner) && (
        <Suspense fallback={null}>
          <OpenDialog {...content} onClose={() => show(false)}>
            {children}
          </OpenDialog>
        </Suspense>
      )}
    </>
  );
}

/** Props for a button whose dialog code loads on demand. */
export function opening(
  trigger: ReactElement<TriggerProps>,
  fetchParts: () => Promise<unknown>,
  open: () => void,
): TriggerProps {
  const fetchQuietly = () => void fetchParts().catch(() => undefined);
  return withTrigger(trigger, {
    'aria-haspopup': 'dialog',
    onPointerEnter: fetchQuietly,
    onFocus: fetchQuietly,
    onClick: open,
  });
}
