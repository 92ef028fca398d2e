import { parseOutcomeCode } from '../outcomes.ts';

/** An event as it is stored. */
export interface StoredEvent {
  type: string;
  timestamp: Date;
  data: Record<string, unknown>;
}

/** The body of an event's request: the same for each attempt. */
export function bodyOf({ type, timestamp, data }: StoredEvent): string {
  const { errorCode } = data;
  const known = typeof errorCode === 'string' ? { ...data, errorCode: parseOutcomeCode(errorCode) } : data;
  return JSON.stringify({ type, timestamp: timestamp.toISOString(), data: known });
}
