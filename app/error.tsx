'use client';

import { lazy } from 'react';

/** Loaded on demand. If it cannot be loaded, `global-error.tsx` is shown. */
export default lazy(() => import('#app/_components/ui/page-error.tsx'));
