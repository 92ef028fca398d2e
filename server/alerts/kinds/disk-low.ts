import { SHORT_DISK } from './families/disk.ts';
import type { AlertDescriptor } from './kind.ts';

export const diskLow: AlertDescriptor = { ...SHORT_DISK, sign: { tone: 'warn', shape: 'cross' } };
