import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server, whose clock and zone are not the viewer's. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
