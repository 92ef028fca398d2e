import { RESTORE } from './families/restore.ts';
import type { AlertDescriptor } from './kind.ts';

export const restored: AlertDescriptor = {
  ...RESTORE,
  topic: 'server',
  page: { label: 'Open Queue health', path: '/admin/health' },
  only: 'administrators',
};
