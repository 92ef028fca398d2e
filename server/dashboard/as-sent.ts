import type { Serialize } from '@trpc/server/unstable-core-do-not-import';

/** A procedure's answer as it would have arrived over the wire, for a page that is rendered here. */
export function asSent<T>(value: T): Serialize<T> {
  return JSON.parse(JSON.stringify(value)) as Serialize<T>;
}
