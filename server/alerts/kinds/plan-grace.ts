import { ENDING_PLAN } from './families/ending-plan.ts';
import type { AlertDescriptor } from './kind.ts';

/** On the first day of its grace, and on the last ones. */
export const planGrace: AlertDescriptor = ENDING_PLAN;
