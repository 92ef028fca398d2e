import { STOPPED_NUMBER } from './families/stopped-number.ts';
import type { AlertDescriptor } from './kind.ts';

export const conflict: AlertDescriptor = {
  ...STOPPED_NUMBER,
  state: 'CONFLICT',
  sign: 'CONFLICT',
  customer: 'acts',
};
