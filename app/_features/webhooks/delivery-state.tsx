import { Badge } from '#app/_components/ui/badge.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { webhooks } from './words.ts';

const texts = webhooks.log;
type Delivery = Pick<Outputs['webhooks']['log']['rows'][number], 'state' | 'attempts'>;

/** Whether an endpoint has received an event. */
export function DeliveryState({ row }: { row: Delivery }) {
  if (row.state === 'delivered')
    return (
      <Badge tone="ok" shape="done">
        {texts.delivered}
      </Badge>
    );
  if (row.state === 'dropped')
    return (
      <Badge tone="mute" shape="cross">
        {texts.dropped}
      </Badge>
    );
  return row.attempts > 0 ? (
    <Badge tone="warn" shape="warning">
      {texts.retries}
    </Badge>
  ) : (
    <Badge tone="mute" shape="clock">
      {texts.waits}
    </Badge>
  );
}
