import { Badge } from '#app/_components/ui/badge.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { webhooks } from './words.ts';

const texts = webhooks.log;
type Delivery = Pick<Outputs['webhooks']['log']['rows'][number], 'state' | 'attempts'>;

const SIGNS = {
  delivered: { tone: 'ok', shape: 'done' },
  dropped: { tone: 'mute', shape: 'cross' },
  retries: { tone: 'warn', shape: 'warning' },
  waits: { tone: 'mute', shape: 'clock' },
} as const;

/** Whether an endpoint has received an event. */
export function DeliveryState({ row }: { row: Delivery }) {
  const state = row.state !== 'pending' ? row.state : row.attempts > 0 ? 'retries' : 'waits';
  return <Badge {...SIGNS[state]}>{texts[state]}</Badge>;
}
