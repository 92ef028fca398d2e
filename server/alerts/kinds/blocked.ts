import { STOPPED_NUMBER } from './families/stopped-number.ts';
import type { AlertDescriptor } from './kind.ts';

export const blocked: AlertDescriptor = {
  ...STOPPED_NUMBER,
  state: 'BLOCKED',
  sign: 'BLOCKED',
  customer: 'acts',
};
