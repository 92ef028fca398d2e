import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { alertSign } from '#app/_components/ui/states.tsx';
import { useToast } from '#app/_components/ui/toast.tsx';
import { useTRPC } from '#app/_trpc/client.ts';

/** Shows alerts that are raised while the page is open. */
export function AlertToasts() {
  const trpc = useTRPC();
  const toast = useToast();
  const { data } = useQuery(trpc.alerts.list.queryOptions());
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    known.current = new Set(data.alerts.map(({ id }) => id));
    if (!before) return;
    for (const { id, unread, sign, title, what } of data.alerts) {
      if (before.has(id) || !unread) continue;
      const { tone } = alertSign(sign);
      toast({ tone: tone === 'ok' || tone === 'fail' ? tone : 'warn', title, text: what });
    }
  }, [data, toast]);
  return null;
}
