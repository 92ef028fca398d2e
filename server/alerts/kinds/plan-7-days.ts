import { ENDING_PLAN } from './families/ending-plan.ts';
import type { AlertDescriptor } from './kind.ts';

/** It ends within a week. */
export const plan7Days: AlertDescriptor = ENDING_PLAN;
