import { backoffMs, FAILING_DAYS_MAX, FAILURES_IN_A_ROW } from '#server/core/webhooks/backoff.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { GuardedClient } from '#server/platform/media/guarded-client.ts';
import {
  type Attempted,
  type Claimed,
  claimDeliveries,
  findTarget,
  switchOffFailing,
  type Target,
} from '#server/webhooks/queries/deliveries.ts';
import type { AttemptWriter } from './attempt-writer.ts';
import { bodyOf, headersOf, judge } from './request.ts';

/** Requests to one endpoint at the same time. */
const IN_FLIGHT = 8;
/** Longer than a request can take: another process takes over what a killed one had claimed. */
const CLAIM_MS = 15_000;
/** The answer of an endpoint that wants no more events. */
const GONE = 410;

export interface DelivererOptions {
  database: Database;
  log: Log;
  writer: AttemptWriter;
  open(target: Target): GuardedClient;
}

/**
 * Delivers what is due at one endpoint, until nothing is or the endpoint fails. One process at a time does so for an
 * endpoint (the queue sees to it); claims keep two that overlap from sending the same event at once.
 */
export async function deliverDue(
  { database, log, writer, open }: DelivererOptions,
  { endpointId, signal }: { endpointId: string; signal: AbortSignal },
): Promise<void> {
  const target = await findTarget(database, endpointId);
  if (!target) return;
  const client = open(target);
  let failures = target.failuresInARow;
  let gone = false;
  const running = new Set<Promise<void>>();
  const deliver = async (claimed: Claimed) => {
    const attempted = await attempt(client, target, claimed);
    failures = attempted.error === null ? 0 : failures + 1;
    gone ||= attempted.status === GONE;
    await writer.write({ ...attempted, restMs: restOf(failures) });
  };
  try {
    for (let tried = false; ; tried = true) {
      const rests = restOf(failures) !== null;
      if (signal.aborted || gone || (rests && tried)) break;
      const most = rests ? 1 : IN_FLIGHT - running.size;
      const claimed = await claimDeliveries(database, { endpointId, most, leaseMs: CLAIM_MS });
      for (const one of claimed) {
        const task: Promise<void> = deliver(one)
          .catch((error: unknown) =>
            log.error({ err: error, endpointId }, 'a webhook attempt was not recorded'),
          )
          .finally(() => running.delete(task));
        running.add(task);
      }
      if (running.size === 0) break;
      // A place that is free is filled at once, with what has become due meanwhile.
      await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
    await client.close();
    if (gone || failures > 0)
      await switchOffFailing(database, { endpointId, gone, failingDays: FAILING_DAYS_MAX });
  }
}

/** How long an endpoint rests after so many failures in a row; null while it does not. */
const restOf = (failures: number): number | null =>
  failures < FAILURES_IN_A_ROW ? null : backoffMs(failures - FAILURES_IN_A_ROW + 1);

async function attempt(
  client: GuardedClient,
  target: Target,
  claimed: Claimed,
): Promise<Omit<Attempted, 'restMs'>> {
  const at = new Date();
  const began = performance.now();
  const body = bodyOf(claimed);
  const requestHeaders = headersOf(target, claimed, body, at);
  const outcome = await client.post(body, requestHeaders).then(
    (answer) => judge({ answer }),
    (failure: unknown) => judge({ failure }),
  );
  return {
    ...outcome,
    deliveryId: claimed.deliveryId,
    endpointId: target.endpointId,
    at,
    requestHeaders,
    durationMs: Math.round(performance.now() - began),
    retryInMs: outcome.error === null ? null : backoffMs(claimed.attempts),
  };
}
