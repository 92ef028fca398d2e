import { createContext, type ReactNode, useContext } from 'react';
import type { Outputs } from '#app/_trpc/client.ts';

/**
 * The data that every page of the dashboard has in its first render. `shown`: what a download's address says of the
 * account and user of its page, as each request of the API does.
 */
export type Me = Outputs['account']['me'] & {
  numbers: Outputs['numbers']['list'];
  shown: Record<string, string>;
};

const Context = createContext<Me | null>(null);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <Context value={me}>{children}</Context>;
}

export function useMe(): Me {
  const me = useContext(Context);
  if (!me) throw new Error('useMe outside of the dashboard');
  return me;
}
