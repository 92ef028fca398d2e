import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, FAILING_DAYS_MAX, FAILURES_IN_A_ROW } from '#server/core/webhooks/backoff.ts';
import { bodyOf } from '#server/core/webhooks/request-body.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { GuardedClient } from '#server/platform/media/guarded-client.ts';
import { settings } from '#server/settings.ts';
import {
  type Attempted,
  type Claimed,
  claimDeliveries,
  releaseDeliveries,
  switchOffFailing,
} from '#server/webhooks/queries/deliveries.ts';
import type { AttemptWriter } from './attempt-writer.ts';
import type { Bell } from './bell.ts';
import { judge, Signer, UNSIGNED } from './request.ts';

/** The most requests to one endpoint at the same time. */
const IN_FLIGHT = 8;
/** The most events that one statement claims, while the endpoint answers fast. */
const BATCH = 64;
const FAST_MS = 100;
/** An endpoint that takes longer is slow: it begins no more requests in this turn, and then has the places of slow ones. */
export const SLOW_MS = 1000;
/** A claim whose request has not begun within this time is released. */
const BEGIN_MS = 2000;
/** Longer than `BEGIN_MS` and a request. Then another process delivers what a killed one had claimed. */
const CLAIM_MS = 14_000;
/** The least time between two claims for a busy endpoint, so that one query claims what has arrived meanwhile. */
const BEAT_MS = 250;
/** How long a process waits for more events, because the events of one message often follow each other. */
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
 * Delivers the events that are due at one endpoint, until none come for a while, the endpoint rests, is slow or refuses
 * all events, or `signal` aborts. Resolves to whether more may be due. The queue gives an endpoint to one process at a time; if two overlap, claims keep
 * them from sending the same event at once.
 *
 * @param bell Rung when there may be new events.
 * @param changed Rung when the endpoint has changed: what is claimed is given back.
 */
export async function deliverDue(
  options: DelivererOptions,
  {
    endpointId,
    bell,
    changed,
    signal,
  }: { endpointId: string; bell: Bell; changed: Bell; signal: AbortSignal },
): Promise<boolean> {
  const { database, log, writer } = options;
  const clients = new Clients(options.open);
  const signer = new Signer();
  const running = new Set<Promise<void>>();
  /** Successes that are being stored. Their places are free, so that more of them are stored together. */
  const storing = new Set<Promise<void>>();
  let claimed: Claimed[] = [];
  let claimedAt = 0;
  let failures = 0;
  let fast = false;
  let slow = false;
  /** Whether the endpoint rests after a request that has failed since the last claim began. */
  let rests = false;
  /** The URL that wants no more events. */
  let gone: string | null = null;
  const deliver = async (one: Claimed) => {
    const { waitMs, ...attempted } = await attempt(clients, signer, one);
    failures = attempted.error === null ? 0 : failures + 1;
    fast = attempted.error === null && attempted.durationMs < FAST_MS;
    slow ||= attempted.durationMs > SLOW_MS;
    if (attempted.status === GONE) gone = one.url;
    const restMs = waitMs === null ? restOf(failures) : Math.max(waitMs, restOf(failures) ?? 0);
    if (restMs !== null) rests = true;
    const stored = writer.write({ ...attempted, restMs });
    // The next claim must see a failure.
    if (attempted.error === null) keep(storing, stored);
    else await stored;
  };
  const keep = (tasks: Set<Promise<void>>, work: Promise<void>) => {
    const task: Promise<void> = work
      .catch((error: unknown) => log.error({ err: error, endpointId }, 'a webhook attempt was not recorded'))
      .finally(() => tasks.delete(task));
    tasks.add(task);
  };
  /** Resolves when a request has ended, or when no claimed event may begin any more. */
  const room = () => Promise.race([...running, delay(Math.max(0, claimedAt + BEGIN_MS - performance.now()))]);
  const over = () => signal.aborted || gone !== null || slow;
  const begin = async () => {
    while (claimed.length > 0 && !over() && !rests && !changed.rung) {
      if (performance.now() - claimedAt > BEGIN_MS) break;
      if (running.size >= IN_FLIGHT) await room();
      else keep(running, deliver(claimed.shift() as Claimed));
    }
  };
  const giveBack = async () => {
    if (claimed.length === 0) return;
    const deliveryIds = claimed.splice(0).map(({ deliveryId }) => deliveryId);
    await releaseDeliveries(database, { deliveryIds });
  };
  try {
    while (!over()) {
      bell.reset();
      changed.reset();
      rests = false;
      claimedAt = performance.now();
      // A failing endpoint gets one request at a time, because the database lets only one event be claimed.
      const places = restOf(failures) !== null && running.size > 0 ? 0 : IN_FLIGHT - running.size;
      const most = places > 0 && fast ? BATCH : places;
      if (most > 0) claimed = await claimDeliveries(database, { endpointId, most, leaseMs: CLAIM_MS });
      const count = claimed.length;
      if (running.size + storing.size === 0) failures = claimed[0]?.failuresInARow ?? failures;
      await begin();
      await giveBack();
      if (running.size + storing.size === 0 && count === 0) {
        if (!(await bell.heard(QUIET_MS))) break;
      } else if (running.size > 0 && (most === 0 || running.size >= IN_FLIGHT)) {
        await Promise.race(running);
      } else if (running.size + storing.size > 0) {
        // While there are places left, a new event need not wait for an answer. A stored one may let the next one begin.
        await Promise.race([...running, ...storing, bell.heard(CLAIM_MS)]);
      }
      if (count < most || count === BATCH) await delay(Math.max(0, claimedAt + BEAT_MS - performance.now()));
    }
  } finally {
    // If this fails, the claims expire soon.
    await giveBack().catch((error: unknown) =>
      log.warn({ err: error, endpointId }, 'claims were not given back'),
    );
    await Promise.all(running);
    await Promise.all(storing);
    await clients.close();
    if (gone !== null || failures > 0)
      await switchOffFailing(database, { endpointId, goneUrl: gone, failingDays: FAILING_DAYS_MAX });
  }
  return slow || signal.aborted;
}

/** How long an endpoint rests after this many failures in a row; null while it does not rest. */
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

async function attempt(
  clients: Clients,
  signer: Signer,
  claimed: Claimed,
): Promise<Omit<Attempted, 'restMs'> & { waitMs: number | null }> {
  const began = performance.now();
  const body = bodyOf(claimed, settings);
  const requestHeaders = signer.headersOf(claimed, body, new Date());
  // Opening the client fails if the URL is not permitted any more: a failed attempt, like any other.
  const post = async (headers: Record<string, string>) => clients.at(claimed.url).post(body, headers);
  const outcome =
    requestHeaders === null
      ? UNSIGNED
      : await post(requestHeaders).then(
          (answer) => judge({ answer }),
          (failure: unknown) => judge({ failure }),
        );
  return {
    ...outcome,
    deliveryId: claimed.deliveryId,
    eventId: claimed.eventId,
    endpointId: claimed.endpointId,
    requestHeaders,
    durationMs: Math.round(performance.now() - began),
    retryInMs: outcome.error === null ? null : backoffMs(claimed.attempts),
  };
}
