import { type Query, useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { type AccountEnd, Ended } from '#app/_features/shell/ended.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import type { StreamEndReason } from '#server/people/stream-end.ts';
import { useTRPC } from './client.ts';
import { isSignedOut, stayHere } from './provider.tsx';
import { refetchShown } from './refetch-shown.ts';
import { toSignIn } from './sign-in-again.ts';

export interface Liveness {
  /** Is the page up to date? */
  live: boolean;
  /** Since when it is not. */
  staleSince: Date | null;
  /** The device has no network, so the server is not to blame. */
  offline: boolean;
  /** Why the server refuses this page's stream, in a sentence; null otherwise. */
  refused: string | null;
}

const Context = createContext<Liveness>({ live: false, staleSince: null, offline: false, refused: null });
export const useLiveness = () => useContext(Context);

/** The events of the stream; a long list applies them directly instead of reloading. */
export type LiveChanges = {
  numbers: string[];
  messages: string[];
  newRequests: boolean;
  newRefusals: boolean;
  all: boolean;
};
type Listener = (changes: LiveChanges) => void;

const ListenersContext = createContext<Set<Listener> | null>(null);

/** Calls the latest `listener` for each event while the component is on screen. */
export function useLiveChanges(listener: Listener): void {
  const listeners = useContext(ListenersContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const call: Listener = (changes) => latest.current(changes);
    listeners?.add(call);
    return () => void listeners?.delete(call);
  }, [listeners]);
}

/** Infinite lists apply the changes directly: they would reload a hundred pages. */
const isShort = ({ queryKey }: Query) => (queryKey[1] as { type?: string } | undefined)?.type !== 'infinite';

/** A hidden tab closes its connection after this time. */
const HIDDEN_MS = 20_000;
/** A stream that reopens within this time shows no notice. */
const BLINK_MS = 1_500;

/**
 * Keeps the page current: one stream reports changes, and the affected queries are loaded again. It reopens
 * when it breaks.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const visible = useVisible();
  const [listeners] = useState(() => new Set<Listener>());
  const { account } = useMe();
  const [ended, setEnded] = useState<AccountEnd | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const end = (why: StreamEndReason) => {
    // The browser now shows another account. The page that changed it is already loading the same address.
    if (why === 'view_began') return location.assign('/');
    if (why === 'view_ended') return location.assign(`/admin/accounts/${account.accountId}`);
    if (why === 'signed_out') return toSignIn();
    stayHere();
    setEnded(why);
  };
  const stream = useSubscription(
    trpc.live.changes.subscriptionOptions(undefined, {
      enabled: visible,
      onData: (changes) => {
        setRefused(null);
        if ('ended' in changes) return end(changes.ended);
        const invalidate = (queryKey: readonly unknown[]) =>
          refetchShown(queryClient, { queryKey, predicate: isShort });
        for (const listener of listeners) listener(changes);
        if (changes.all) return refetchShown(queryClient, { predicate: isShort });
        if (changes.numbers.length > 0) {
          invalidate(trpc.numbers.pathKey());
          invalidate(trpc.account.pathKey());
          invalidate(trpc.alerts.pathKey());
        }
        if (changes.messages.length > 0) {
          invalidate(trpc.messages.pathKey());
          invalidate(trpc.sandbox.pathKey());
        }
        if (changes.newRequests) invalidate(trpc.requests.list.pathKey());
        if (changes.newRefusals) invalidate(trpc.account.overview.pathKey());
      },
      onError: (error) => {
        const signedOut = isSignedOut(error);
        if (signedOut) toSignIn();
        setRefused(signedOut || error.data?.appCode === 'rate_limited' ? error.message : null);
      },
    }),
  );
  const online = useOnline();
  const liveness = { ...useLivenessOf(stream.status === 'pending', online), refused };

  // Also retries after an error that ends the stream for good, such as a restart at the wrong moment.
  const { status, reset } = stream;
  useEffect(() => {
    if (status !== 'error') return;
    const timer = setTimeout(reset, 3_000);
    return () => clearTimeout(timer);
  }, [status, reset]);

  // When a network comes back, the old connection is dead, and the browser does not report it.
  const wasOnline = useRef(true);
  useEffect(() => {
    if (online && !wasOnline.current) reset();
    wasOnline.current = online;
  }, [online, reset]);

  if (ended) return <Ended why={ended} name={account.name} />;
  return (
    <Context value={liveness}>
      <ListenersContext value={listeners}>{children}</ListenersContext>
    </Context>
  );
}

/** Connected, ignoring short breaks. */
function useLivenessOf(connected: boolean, online: boolean): Omit<Liveness, 'refused'> {
  const [staleSince, setStaleSince] = useState<Date | null>(null);
  const up = connected && online;
  useEffect(() => {
    if (up) return setStaleSince(null);
    const since = new Date();
    const markStale = () => setStaleSince((before) => before ?? since);
    if (!online) return markStale();
    const timer = setTimeout(markStale, BLINK_MS);
    return () => clearTimeout(timer);
  }, [up, online]);
  return { live: staleSince === null, staleSince, offline: !online };
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('online', changed);
      window.addEventListener('offline', changed);
      return () => {
        window.removeEventListener('online', changed);
        window.removeEventListener('offline', changed);
      };
    },
    () => navigator.onLine,
    () => true,
  );
}

/** Is this tab visible, or was it a moment ago? */
function useVisible(): boolean {
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') setVisible(true);
      else timer = setTimeout(() => setVisible(false), HIDDEN_MS);
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return visible;
}
