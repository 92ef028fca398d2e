import { DISK } from './families/disk.ts';
import type { AlertDescriptor } from './kind.ts';

export const diskRecovered: AlertDescriptor = { ...DISK, sign: 'CONNECTED' };
