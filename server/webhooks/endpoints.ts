import { randomBytes } from 'node:crypto';
import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { planWorks } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { LIMITS } from '#server/core/limits.ts';
import { notFound } from '#server/core/not-found.ts';
import { pick } from '#server/core/pick.ts';
import { EVENT_TYPES, type EventType } from '#server/core/webhooks/events.ts';
import { INSPECT_URL, TEST_EVENT_TYPE } from '#server/core/webhooks/inspect.ts';
import { lockNumber } from '#server/numbers/queries/numbers.ts';
import { planOf } from '#server/plans/plan-of.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { type AccountContext, type AccountScope, inside } from '#server/platform/db/context.ts';
import { now } from '#server/platform/db/expressions.ts';
import { seal } from '#server/platform/seal.ts';
import { checkEndpointUrl } from './endpoint-url.ts';
import {
  countEndpoints,
  deleteEndpoint,
  dropPending,
  type EndpointRow,
  insertEndpoint,
  insertTestEvent,
  listEndpointRows,
  lockEndpoint,
  replaceSecret,
  replayEvents,
  updateEndpoint,
} from './queries/endpoints.ts';

const SECRET_BYTES = 24;
/** How long requests are signed with both secrets after a rotation. */
const OVERLAP_MS = 24 * 3_600_000;
/** How often a secret is rotated within that time, so that the header of signatures stays short. */
const ROTATIONS_MAX = 10;

/** What its owner sees of an endpoint: not its secrets. */
const SHOWN = [
  'id',
  'numberId',
  'url',
  'active',
  'disabledReason',
  'disabledAt',
  'failingSince',
  'retryAt',
  'lastSuccessAt',
  'previousSecretUntil',
  'createdAt',
] as const;
export type EndpointView = Pick<EndpointRow, (typeof SHOWN)[number]> & { events: EventType[] };

/** `numberId` limits the choice to the endpoints of that number, which its API key may manage. */
interface Which {
  endpointId: string;
  numberId?: string | undefined;
}

/** The endpoints of an account, or of one of its numbers, oldest first. */
export async function listEndpoints(
  { database, accountId }: AccountScope,
  { numberId }: { numberId?: string } = {},
): Promise<EndpointView[]> {
  const rows = await listEndpointRows(database.db, { accountId, ...(numberId && { numberId }) });
  return rows.map(view);
}

/**
 * Makes an endpoint for one number, or with null for all of them. Only this answer contains `secret`. Throws
 * `not_found` for the number, `invalid_parameters` for the URL or when there are too many endpoints, `plan_inactive`
 * without a plan, unless it is the inspector.
 */
export function createEndpoint(
  { database, accountId, actor }: AccountContext,
  input: { numberId: string | null; url: string; events?: readonly EventType[] | undefined },
): Promise<EndpointView & { secret: string }> {
  const { numberId, events = EVENT_TYPES } = input;
  const url = input.url === INSPECT_URL ? INSPECT_URL : checkEndpointUrl(input.url);
  return database.db.transaction(async (tx) => {
    // Locked, so that the limit also holds for endpoints that are created at the same moment.
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    const number = numberId === null ? null : await lockNumber(tx, { accountId, numberId });
    if (numberId !== null && !number) throw notFound('number');
    await requirePlan(tx, { accountId, url });
    if (url === INSPECT_URL && number?.network !== 'sandbox')
      throw new AppError(
        'invalid_parameters',
        'Only events of a sandbox number can be inspected. Choose a sandbox number.',
      );
    if ((await countEndpoints(tx, { accountId, numberId })) >= LIMITS.webhookEndpoints)
      throw new AppError(
        'invalid_parameters',
        `A number has at most ${LIMITS.webhookEndpoints} endpoints, including those of all numbers. Delete one that you no longer use, then try again.`,
      );
    const id = newId('webhookEndpoint');
    const secret = mintSecret();
    const row = await insertEndpoint(tx, {
      ...{ id, accountId, numberId, url },
      events: ordered(events),
      secret: sealSecret(id, secret),
    });
    await audit(tx, { actor, accountId, action: 'webhook.create', target: id, detail: { url, numberId } });
    return { ...view(row), secret };
  });
}

/**
 * Changes an endpoint's URL or events, or switches it on or off. Switching it off drops its pending events.
 * Switching it on clears its failures; it then gets new events. Throws `not_found`, `invalid_parameters`, and
 * `plan_inactive` for a URL without a plan.
 */
export function changeEndpoint(
  context: AccountContext,
  which: Which,
  change: {
    url?: string | undefined;
    events?: readonly EventType[] | undefined;
    active?: boolean | undefined;
  },
): Promise<EndpointView> {
  const { url, events, active } = change;
  const set = {
    // A new address has not failed yet.
    ...(url !== undefined && { url: checkEndpointUrl(url), ...NOT_FAILING }),
    ...(events && { events: ordered(events) }),
    ...(active === true && { active, ...FRESH }),
    ...(active === false && { active, disabledReason: 'person' as const, disabledAt: now }),
  };
  return onEndpoint(context, which, async (tx, { id }) => {
    if (set.url !== undefined) await requirePlan(tx, { ...context, url: set.url });
    const row = Object.keys(set).length > 0 ? await updateEndpoint(tx, id, set) : null;
    if (active === false) await dropPending(tx, { endpointId: id });
    const { accountId, actor } = context;
    const detail = {
      ...(set.url !== undefined && { url: set.url }),
      ...(events && { events: events.join(', ') }),
      ...(active !== undefined && { active }),
    };
    await audit(tx, { actor, accountId, action: 'webhook.change', target: id, detail });
    return row;
  });
}

const NOT_FAILING = { failingSince: null, failuresInARow: 0, retryAt: null };
const FRESH = { disabledReason: null, disabledAt: null, ...NOT_FAILING };

/**
 * Gives an endpoint a new secret, which only this answer contains. For 24 hours requests are signed with the one
 * before it too. Throws `not_found`, and `invalid_parameters` after too many rotations.
 */
export async function rotateSecret(
  context: AccountContext,
  which: Which,
): Promise<EndpointView & { secret: string }> {
  const secret = mintSecret();
  const changed = await onEndpoint(context, which, async (tx, { id }) => {
    const { accountId, actor } = context;
    const row = await replaceSecret(tx, id, { secret: sealSecret(id, secret), overlapMs: OVERLAP_MS });
    const oldest = row.olderSecrets[ROTATIONS_MAX - 1];
    if (oldest)
      throw new AppError(
        'invalid_parameters',
        `This secret was rotated ${ROTATIONS_MAX} times within 24 hours. Rotate it again after ${new Date(oldest.until).toISOString()}.`,
      );
    await audit(tx, { actor, accountId, action: 'webhook.rotate', target: id, detail: {} });
    return row;
  });
  return { ...changed, secret };
}

/** Deletes an endpoint with its log. Throws `not_found`. */
export async function removeEndpoint(context: AccountContext, which: Which): Promise<void> {
  await onEndpoint(context, which, async (tx, { id, url }) => {
    const { accountId, actor } = context;
    await audit(tx, { actor, accountId, action: 'webhook.delete', target: id, detail: { url } });
    await deleteEndpoint(tx, id);
    return null;
  });
}

/** Sends an event to this endpoint only, so that its owner sees it arrive. Throws as {@link replay} does. */
export async function sendTestEvent(context: AccountContext, which: Which): Promise<{ eventId: string }> {
  const eventId = newId('event');
  await onEndpoint(context, which, async (tx, row) => {
    requireActive(row, 'send a test event');
    await requirePlan(tx, row);
    const { accountId, actor } = context;
    await insertTestEvent(tx, { accountId, endpointId: row.id, eventId, type: TEST_EVENT_TYPE });
    await audit(tx, { actor, accountId, action: 'webhook.test', target: row.id, detail: {} });
    return endRest(tx, row);
  });
  return { eventId };
}

/**
 * Sends one event, or all since a time, again. Returns how many. Throws `not_found` for the endpoint and for one
 * event, `invalid_parameters` for an endpoint that is switched off, and `plan_inactive`.
 */
export async function replay(
  context: AccountContext,
  which: Which,
  events: { since: Date } | { eventId: string },
): Promise<{ events: number }> {
  let count = 0;
  // Each part in its own transaction, so that results of requests can be stored in between.
  for (let part: typeof events | null = events; part !== null; )
    await onEndpoint(context, which, async (tx, row) => {
      requireActive(row, 'replay');
      await requirePlan(tx, row);
      const { accountId, actor } = context;
      const replayed = await replayEvents(tx, { ...row, ...part });
      count += replayed.events;
      if (count === 0 && 'eventId' in events) throw notFound('event');
      part = replayed.next && { since: replayed.next };
      if (part === null)
        await audit(tx, {
          actor,
          accountId,
          action: 'webhook.replay',
          target: row.id,
          detail: { events: count },
        });
      return endRest(tx, row);
    });
  return { events: count };
}

/** A failing endpoint gets its next request now: its owner may have repaired it. */
const endRest = async (tx: Tx, { id, retryAt }: EndpointRow) =>
  retryAt === null ? null : updateEndpoint(tx, id, { retryAt: null });

function requireActive({ active }: EndpointRow, then: string): void {
  if (!active)
    throw new AppError('invalid_parameters', `This endpoint is switched off. Switch it on, then ${then}.`);
}

/** Without a plan, events are only shown on our page. Events of earlier endpoints wait for a plan. */
async function requirePlan(tx: Tx, { accountId, url }: { accountId: string; url: string }): Promise<void> {
  if (url === INSPECT_URL || planWorks((await planOf(inside(tx, { accountId }))).state)) return;
  throw new AppError(
    'plan_inactive',
    'Sending events to your server needs a plan. Without one, inspect the events of a sandbox number on this page.',
  );
}

function onEndpoint(
  { database, accountId }: AccountContext,
  { endpointId, numberId }: Which,
  work: (tx: Tx, row: EndpointRow) => Promise<EndpointRow | null>,
): Promise<EndpointView> {
  return database.db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, { accountId, endpointId, ...(numberId && { numberId }) });
    if (!row) throw notFound('webhook endpoint');
    return view((await work(tx, row)) ?? row);
  });
}

const mintSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
const sealSecret = (endpointId: string, secret: string) =>
  seal(secret, { use: 'webhook secret', owner: endpointId });

/** The types in the order of the list, each once. */
const ordered = (events: readonly EventType[]): EventType[] =>
  EVENT_TYPES.filter((type) => events.includes(type));

const view = (row: EndpointRow): EndpointView => ({
  ...pick(row, ...SHOWN),
  events: ordered(row.events as EventType[]),
});
