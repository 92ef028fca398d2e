import { findRestore } from './families/restore.ts';
import type { AlertDescriptor } from './kind.ts';

export const restored: AlertDescriptor = {
  find: findRestore,
  topic: 'server',
  sign: { tone: 'warn', shape: 'turning' },
  page: { label: 'Open Queue health', path: '/admin/health' },
  only: 'administrators',
};
