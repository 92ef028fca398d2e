import { PAID } from './families/payment.ts';
import type { AlertDescriptor } from './kind.ts';

/** A payment was recorded. */
export const planPaid: AlertDescriptor = PAID;
