import type { WithSql } from '#server/testing/sql.ts';
import type { DashboardClient } from '../e2e/security/dashboard-client.ts';
import type { Stack } from '../e2e/stack.ts';

/** Another customer. */
export const CUSTOMER = 'customer@example.com';

export interface World {
  stack: Stack;
  port: number;
  /** Of one sign-in of a customer with many messages. */
  cookie: string;
  numberId: string;
  database: WithSql;
  /** Signed in as the other customer. */
  customer: DashboardClient;
}

/** What one visitor or customer does to the others. Begins it, and returns what ends it. */
export type Load = (world: World) => (() => Promise<void>) | Promise<() => Promise<void>>;

/** Repeats an action on some lines at once until ended. */
export function repeat(
  lines: number,
  action: (n: number, line: number) => Promise<void>,
): () => Promise<void> {
  let ended = false;
  let n = 0;
  const running = Array.from({ length: lines }, async (_, line) => {
    while (!ended) await action(n++, line);
  });
  return async () => {
    ended = true;
    await Promise.all(running);
  };
}

/** One request of a page, whatever its answer. */
export async function ask(
  { url }: Stack,
  path: string,
  { address, cookie, json }: { address: string; cookie?: string; json?: unknown },
): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    headers: {
      'x-forwarded-for': address,
      'x-forwarded-proto': 'http',
      ...(cookie === undefined ? {} : { cookie }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
}
