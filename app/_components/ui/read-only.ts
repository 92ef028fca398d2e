'use client';

import { createContext, useContext } from 'react';

/** True around what somebody may look at and not change: whatever would change something is off there. */
export const ReadOnly = createContext(false);
export const useReadOnly = () => useContext(ReadOnly);
