import { parseCause } from '../number/cause.ts';
import { sayCause } from '../number/say.ts';
import { parseOutcomeCode } from '../outcomes.ts';

/** An event as it is stored. */
export interface StoredEvent {
  type: string;
  timestamp: Date;
  data: Record<string, unknown>;
}

/** The body of an event's request: the same for each attempt. */
export function bodyOf({ type, timestamp, data }: StoredEvent, settings: { timeZone: string }): string {
  const told = Object.entries(data).map(([name, value]): [string, unknown] => {
    if (name === 'errorCode' && typeof value === 'string') return [name, parseOutcomeCode(value)];
    if (name !== 'cause') return [name, value];
    const cause = parseCause(value);
    return ['reason', cause && sayCause(cause, settings)];
  });
  return JSON.stringify({ type, timestamp: timestamp.toISOString(), data: Object.fromEntries(told) });
}
