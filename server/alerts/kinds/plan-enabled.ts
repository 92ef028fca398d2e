import { PAID } from './families/payment.ts';
import type { AlertDescriptor } from './kind.ts';

/** Without a payment. */
export const planEnabled: AlertDescriptor = PAID;
