import { Badge } from '#app/_components/ui/badge.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { webhooks } from './words.ts';

export type Endpoint = Outputs['webhooks']['list'][number];

/** Whether an endpoint gets its events. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { states } = webhooks;
  if (!endpoint.active)
    return endpoint.disabledReason === 'person' ? (
      <Badge tone="mute" shape="pause">
        {states.person}
      </Badge>
    ) : (
      <Badge tone="fail" shape="cross">
        {endpoint.disabledReason === 'gone' ? states.gone : states.failed}
      </Badge>
    );
  if (endpoint.failingSince)
    return (
      <Badge tone="warn" shape="warning">
        {states.failing}
      </Badge>
    );
  if (!endpoint.lastSuccessAt)
    return (
      <Badge tone="mute" shape="clock">
        {states.new}
      </Badge>
    );
  return (
    <Badge tone="ok" shape="done">
      {states.works}
    </Badge>
  );
}

/** The name that pages show for an endpoint: its address. */
export const nameOf = ({ url }: Pick<Endpoint, 'url'>): string =>
  url === INSPECT_URL ? webhooks.inspector : url;

/** Its events in a few words. */
export const eventsOf = ({ events }: Pick<Endpoint, 'events'>): string =>
  events.length === EVENT_TYPES.length
    ? webhooks.allEvents
    : events.map((type) => webhooks.events[type]).join(', ');
