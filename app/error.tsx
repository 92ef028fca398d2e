'use client';

import { lazy } from 'react';

/** Not sent with every page. Should it not come either, the last resort stands in: `global-error.tsx`. */
export default lazy(() => import('#app/_components/ui/page-error.tsx'));
