import { lazy, Suspense } from 'react';
import type { DialogContent } from './dialog-parts.tsx';

const OpenDialog = lazy(() => import('./dialog-parts.tsx'));

/** A question or a form over the page. Escape, the cross or a click outside closes it. */
export function Dialog({ open = true, ...content }: DialogContent & { open?: boolean }) {
  return (
    open && (
      <Suspense fallback={null}>
        <OpenDialog {...content} />
      </Suspense>
    )
  );
}
