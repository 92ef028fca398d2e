import type { DialogContent } from './dialog-parts.tsx';
import { lazyPart } from './lazy-part.tsx';

const OpenDialog = lazyPart(() => import('./dialog-parts.tsx'));

/** A question or a form over the page. Escape, the cross or a click outside closes it. */
export function Dialog({ open = true, ...content }: DialogContent & { open?: boolean }) {
  return open && <OpenDialog {...content} />;
}
