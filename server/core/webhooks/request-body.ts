import { parseOutcome, sayOutcome } from '../message-outcome.ts';
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
  const errorCode = typeof data.errorCode === 'string' ? parseOutcomeCode(data.errorCode) : null;
  const fields = Object.entries(data).map(([name, value]): [string, unknown] => {
    if (name === 'errorCode') return [name, errorCode];
    if (name === 'outcome')
      return ['error', errorCode && sayOutcome({ errorCode, outcome: parseOutcome(value) }, settings)];
    if (name !== 'cause') return [name, value];
    const cause = parseCause(value);
    return ['reason', cause && sayCause(cause, settings)];
  });
  return JSON.stringify({ type, timestamp: timestamp.toISOString(), data: Object.fromEntries(fields) });
}
