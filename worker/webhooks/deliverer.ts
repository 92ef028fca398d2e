import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, FAILING_DAYS_MAX, FAILURES_IN_A_ROW } from '#server/core/webhooks/backoff.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { GuardedClient } from '#server/platform/media/guarded-client.ts';
import {
  type Attempted,
  type Claimed,
  claimDeliveries,
  switchOffFailing,
} from '#server/webhooks/queries/deliveries.ts';
import type { AttemptWriter } from './attempt-writer.ts';
import type { Bell } from './bell.ts';
import { bodyOf, headersOf, judge } from './request.ts';

/** Requests to one endpoint at the same time. */
const IN_FLIGHT = 8;
/** Longer than a request can take: after that, another process takes over what a killed one had claimed. */
const CLAIM_MS = 12_000;
/** An endpoint that is kept busy gets what has come meanwhile together: one look at the database for all of it. */
const BEAT_MS = 100;
/** An endpoint without events keeps its process for so long: the events of one message often follow each other. */
const QUIET_MS = 1000;
/** The answer of an endpoint that wants no more events. */
const GONE = 410;

export interface DelivererOptions {
  database: Database;
  log: Log;
  writer: AttemptWriter;
  open(url: string): GuardedClient;
}

/**
 * Delivers what is due at one endpoint, until nothing has come for a while or the endpoint fails. One process at a time
 * does so for an endpoint (the queue ensures it); claims keep two that overlap from sending the same event at once.
 *
 * @param bell Rung when there may be something new.
 */
export async function deliverDue(
  options: DelivererOptions,
  { endpointId, bell, signal }: { endpointId: string; bell: Bell; signal: AbortSignal },
): Promise<void> {
  const { database, log, writer } = options;
  const clients = new Clients(options.open);
  const running = new Set<Promise<void>>();
  let failures = 0;
  let gone = false;
  const deliver = async (claimed: Claimed) => {
    const attempted = await attempt(clients.at(claimed.url), claimed);
    failures = attempted.error === null ? 0 : failures + 1;
    gone ||= attempted.status === GONE;
    await writer.write({ ...attempted, restMs: restOf(failures) });
  };
  const start = (claimed: Claimed) => {
    const task: Promise<void> = deliver(claimed)
      .catch((error: unknown) => log.error({ err: error, endpointId }, 'a webhook attempt was not recorded'))
      .finally(() => running.delete(task));
    running.add(task);
  };
  try {
    while (!signal.aborted && !gone) {
      bell.reset();
      const lookedAt = performance.now();
      // One that fails gets one request at a time: the database gives no more than that.
      const most = restOf(failures) !== null && running.size > 0 ? 0 : IN_FLIGHT - running.size;
      const claimed =
        most > 0 ? await claimDeliveries(database, { endpointId, most, leaseMs: CLAIM_MS }) : [];
      if (running.size === 0) failures = claimed[0]?.failuresInARow ?? failures;
      for (const one of claimed) start(one);
      if (running.size === 0) {
        if (!(await bell.heard(QUIET_MS))) break;
      } else {
        const place = Promise.race(running);
        // With places left, something new need not wait for an answer.
        await (claimed.length === most ? place : Promise.race([place, bell.heard(CLAIM_MS)]));
      }
      if (claimed.length < most) await delay(lookedAt + BEAT_MS - performance.now());
    }
  } finally {
    await Promise.all(running);
    await clients.close();
    if (gone || failures > 0)
      await switchOffFailing(database, { endpointId, gone, failingDays: FAILING_DAYS_MAX });
  }
}

/** How long an endpoint rests after so many failures in a row; null while it does not. */
const restOf = (failures: number): number | null =>
  failures < FAILURES_IN_A_ROW ? null : backoffMs(failures - FAILURES_IN_A_ROW + 1);

/** The connections to an endpoint, whose URL may change meanwhile. */
class Clients {
  readonly #open: (url: string) => GuardedClient;
  readonly #opened = new Map<string, GuardedClient>();

  constructor(open: (url: string) => GuardedClient) {
    this.#open = open;
  }

  at(url: string): GuardedClient {
    const client = this.#opened.get(url) ?? this.#open(url);
    this.#opened.set(url, client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((client) => client.close()));
  }
}

async function attempt(client: GuardedClient, claimed: Claimed): Promise<Omit<Attempted, 'restMs'>> {
  const at = new Date();
  const began = performance.now();
  const body = bodyOf(claimed);
  const requestHeaders = headersOf(claimed, body, at);
  const outcome = await client.post(body, requestHeaders).then(
    (answer) => judge({ answer }),
    (failure: unknown) => judge({ failure }),
  );
  return {
    ...outcome,
    deliveryId: claimed.deliveryId,
    endpointId: claimed.endpointId,
    at,
    requestHeaders,
    durationMs: Math.round(performance.now() - began),
    retryInMs: outcome.error === null ? null : backoffMs(claimed.attempts),
  };
}
