import { SHORT_DISK } from './families/disk.ts';
import type { AlertDescriptor } from './kind.ts';

export const diskFull: AlertDescriptor = { ...SHORT_DISK, sign: { tone: 'fail', shape: 'cross' } };
