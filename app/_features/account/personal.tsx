'use client';

import type { ReactNode } from 'react';
import { useMe } from '#app/_features/shell/me.tsx';

/** Settings of the signed-in user, hidden while an administrator views an account. */
export function Personal({ children }: { children: ReactNode }) {
  return useMe().viewing ? null : children;
}
