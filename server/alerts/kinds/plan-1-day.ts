import { ENDING_PLAN } from './families/ending-plan.ts';
import type { AlertDescriptor } from './kind.ts';

/** It ends today or tomorrow. */
export const plan1Day: AlertDescriptor = ENDING_PLAN;
