import { lazyPart } from './lazy-part.tsx';

/** A question or a form over the page. Escape, the cross or a click outside closes it. */
export const Dialog = lazyPart(() => import('./dialog-parts.tsx'));
