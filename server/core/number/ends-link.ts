import type { Cause } from './cause.ts';

/** WhatsApp has ended the link permanently, so the number must be linked again. Pages import this, so without `zod`. */
export function endsLink(cause: Cause | null): boolean {
  return cause?.code === 'locked' || cause?.code === 'banned';
}
