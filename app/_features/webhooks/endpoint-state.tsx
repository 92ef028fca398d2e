import { Badge } from '#app/_components/ui/badge.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { webhooks } from './words.ts';

export type Endpoint = Outputs['webhooks']['list'][number];

const SIGNS = {
  person: { tone: 'mute', shape: 'pause' },
  gone: { tone: 'fail', shape: 'cross' },
  failed: { tone: 'fail', shape: 'cross' },
  failing: { tone: 'warn', shape: 'warning' },
  new: { tone: 'mute', shape: 'clock' },
  works: { tone: 'ok', shape: 'done' },
} as const;

/** Whether an endpoint gets its events. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const state = stateOf(endpoint);
  return <Badge {...SIGNS[state]}>{webhooks.states[state]}</Badge>;
}

function stateOf({ active, disabledReason, failingSince, lastSuccessAt }: Endpoint): keyof typeof SIGNS {
  if (!active) return disabledReason === 'person' || disabledReason === 'gone' ? disabledReason : 'failed';
  if (failingSince) return 'failing';
  return lastSuccessAt ? 'works' : 'new';
}

/** The name that pages show for an endpoint: its address. */
export const nameOf = ({ url }: Pick<Endpoint, 'url'>): string =>
  url === INSPECT_URL ? webhooks.inspector : url;

/** Its events in a few words. */
export const eventsOf = ({ events }: Pick<Endpoint, 'events'>): string =>
  events.length === EVENT_TYPES.length
    ? webhooks.allEvents
    : events.map((type) => webhooks.events[type]).join(', ');
