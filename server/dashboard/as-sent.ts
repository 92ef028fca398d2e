import type { Serialize } from '@trpc/server/unstable-core-do-not-import';

/** A procedure's answer as the browser would receive it, for a page that is rendered on the server. */
export function asSent<T>(value: T): Serialize<T> {
  return JSON.parse(JSON.stringify(value)) as Serialize<T>;
}
