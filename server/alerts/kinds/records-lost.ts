import { RESTORE } from './families/restore.ts';
import type { AlertDescriptor } from './kind.ts';

/** For an account whose requests since the backup are forgotten. */
export const recordsLost: AlertDescriptor = {
  ...RESTORE,
  topic: 'numbers',
  page: { label: 'Open Messages', path: '/messages' },
  only: 'members',
};
