import { notFound } from '#server/core/not-found.ts';
import { bodyOf } from '#server/core/webhooks/request-body.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { type EndpointView, listEndpoints } from './endpoints.ts';
import { ATTEMPTS_KEPT } from './queries/endpoints.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  type EndpointHealth,
  endpointHealth,
  findDelivery,
  listDeliveries,
} from './queries/log.ts';

const PAGE = 50;

export type EndpointWithHealth = EndpointView & Omit<EndpointHealth, 'endpointId'>;

/** The endpoints of an account, oldest first, with their recent results. */
export async function listEndpointsWithHealth(scope: AccountScope): Promise<EndpointWithHealth[]> {
  const { database, accountId } = scope;
  const [endpoints, health] = await Promise.all([
    listEndpoints(scope),
    endpointHealth(database.db, { accountId }),
  ]);
  return endpoints.map((endpoint) => {
    const { endpointId: _id, ...own } = health.find(({ endpointId }) => endpointId === endpoint.id) ?? {
      endpointId: endpoint.id,
      ...{ requests: 0, failed: 0, waiting: 0 },
    };
    return { ...endpoint, ...own };
  });
}

/**
 * A page of an endpoint's log, newest first. `next` is `before` of the next page, null on the last one. Throws
 * `not_found`.
 */
export async function deliveryLog(
  { database, accountId }: AccountScope,
  { endpointId, ...filter }: { endpointId: string; failed: boolean; before?: number | undefined },
): Promise<{ rows: DeliveryRow[]; next: number | null }> {
  const endpoints = await listEndpoints({ database, accountId });
  if (!endpoints.some(({ id }) => id === endpointId)) throw notFound('webhook endpoint');
  const rows = await listDeliveries(database.db, { accountId, endpointId, limit: PAGE + 1, ...filter });
  const page = rows.slice(0, PAGE);
  return { rows: page, next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null };
}

/** One event of the log: its body as it is sent, and its requests, newest first. Throws `not_found`. */
export async function deliveryDetail(
  { database, accountId }: AccountScope,
  { endpointId, eventId }: { endpointId: string; eventId: string },
): Promise<DeliveryRow & { body: string; requests: AttemptRow[] }> {
  const of = { accountId, endpointId, eventId };
  const [row] = await listDeliveries(database.db, { ...of, failed: false, limit: 1 });
  const found = row && (await findDelivery(database.db, { ...of, attempts: ATTEMPTS_KEPT }));
  if (!row || !found) throw notFound('event');
  const { data, attempts: requests } = found;
  return { ...row, body: bodyOf({ type: row.type, timestamp: row.createdAt, data }, settings), requests };
}
