import { createContext, useContext } from 'react';

/** True inside read-only views, where everything that would change something is disabled. */
export const ReadOnly = createContext(false);
export const useReadOnly = () => useContext(ReadOnly);
