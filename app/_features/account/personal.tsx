'use client';

import type { ReactNode } from 'react';
import { useMe } from '#app/_features/shell/me.tsx';

/** What is about the person who is signed in: not there while they look at somebody else's account. */
export function Personal({ children }: { children: ReactNode }) {
  return useMe().viewing ? null : children;
}
