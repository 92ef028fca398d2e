import { findRestore } from './families/restore.ts';
import type { AlertDescriptor } from './kind.ts';

/** For an account whose requests since the backup are forgotten. */
export const recordsLost: AlertDescriptor = {
  find: findRestore,
  topic: 'numbers',
  sign: { tone: 'warn', shape: 'turning' },
  page: { label: 'Open Messages', path: '/messages' },
  only: 'members',
};
