import { timingSafeEqual } from 'node:crypto';
import { type Access, accessMessage, accessOf, dateIn, planState } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { type Network, type NumberStatus, shownStatus } from '#server/core/number-state.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { type OfNumber, requireNumberRow } from '#server/numbers/get-number.ts';
import { accessOfRow, isOnTrial } from '#server/numbers/number-view.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { AccountScope, InstallationContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { keyHmac, parseKey } from './mint-key.ts';
import { type CallerRow, findCallers, touchKeys } from './queries/callers.ts';

export interface CallerNumber {
  id: string;
  network: Network;
  phoneNumber: string | null;
  /** The state that readers see (`shownStatus`). */
  status: NumberStatus;
}

/** The caller: a valid key with its account and number, or a person in the dashboard. */
export interface Caller {
  /** Null for a person. */
  keyId: string | null;
  accountId: string;
  /** How many numbers the plan includes; the rate limits are multiplied by it. */
  numbersIncluded: number;
  access: Access;
  /** When the caller was found, by the database's clock. */
  now: Date;
  /** A person tries the number without a plan; false for a key. */
  onTrial: boolean;
  /** Also of a number that was removed. */
  numberId: string;
  /** Null when the key's number was removed from the account. */
  number: CallerNumber | null;
}

/** The caller behind a presented key. Throws `unauthorized` for one that is unknown, expired or revoked. */
export async function identifyCaller(
  { database }: InstallationContext,
  presentedKey: string,
): Promise<Caller> {
  const parsed = parseKey(presentedKey);
  const row = parsed ? await lookUp(database, parsed.id) : null;
  if (!row || !sameHmac(row.hmac, keyHmac(presentedKey)))
    throw new AppError('unauthorized', OUTCOMES.unauthorized.says.invalidKey);
  if (row.dead) {
    const { numberId } = row;
    throw new AppError('unauthorized', OUTCOMES.unauthorized.says.endedKey, { numberId });
  }
  noteUse(database, row.keyId);
  return callerOf(row);
}

/**
 * The caller for a person who sends from a number of their account, with the same checks as for a key. Throws
 * `not_found`.
 */
export async function callerInDashboard(scope: AccountScope, ofNumber: OfNumber): Promise<Caller> {
  const row = await requireNumberRow(scope, ofNumber);
  const { id, network, phoneNumber } = row;
  return {
    keyId: null,
    accountId: scope.accountId,
    numbersIncluded: Math.max(1, row.numbersIncluded),
    access: accessOfRow(row),
    now: row.now,
    onTrial: isOnTrial(row),
    numberId: id,
    number: {
      ...{ id, network, phoneNumber },
      status: shownStatus(row),
    },
  };
}

/** Keys that one query looks up at the end of this turn of the event loop. */
interface Look {
  keyIds: Set<string>;
  rows: Promise<Map<string, CallerRow>>;
}
const looks = new WeakMap<Database, Look>();

/**
 * A key's row. Requests that arrive together share a query. They join it only before it is sent, so it never shows
 * an older state, and a revoked key is refused at once.
 */
async function lookUp(database: Database, keyId: string): Promise<CallerRow | null> {
  let look = looks.get(database);
  if (!look) {
    const keyIds = new Set<string>();
    const rows = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      looks.delete(database);
      const found = await findCallers(database, { keyIds: [...keyIds] });
      return new Map(found.map((row) => [row.keyId, row]));
    });
    look = { keyIds, rows };
    looks.set(database, look);
  }
  look.keyIds.add(keyId);
  return (await look.rows).get(keyId) ?? null;
}

function sameHmac(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

function callerOf(row: CallerRow): Caller {
  return {
    keyId: row.keyId,
    accountId: row.accountId,
    numbersIncluded: Math.max(1, row.numbersIncluded ?? 1),
    access: accessOfCaller(row),
    now: row.now,
    onTrial: false,
    numberId: row.numberId,
    number: row.removed
      ? null
      : {
          id: row.numberId,
          network: row.network,
          phoneNumber: row.phoneNumber,
          status: shownStatus({
            status: row.status,
            suspended: row.numberSuspended,
            leaseSilentMs: row.leaseSilentMs,
            moveGraceMs: row.moveGraceMs,
          }),
        },
  };
}

function accessOfCaller(row: CallerRow): Access {
  const { paidUntil } = row;
  const subscription = paidUntil === null ? null : { paidUntil, ended: row.planEnded === true };
  return accessOf({
    suspended: row.accountSuspended,
    plan: planState(subscription, dateIn(settings.timeZone, row.now), settings.graceDays),
    withinPlan: row.removed || row.numbersBefore < (row.numbersIncluded ?? 0),
  });
}

/** Throws `plan_inactive` unless the caller's account and number have access. */
export function requireAccess(caller: Caller): void {
  if (caller.access !== 'ok') throw new AppError('plan_inactive', accessMessage(caller.access));
}

/** The caller's number. Throws `instance_not_found` when it was removed from the account. */
export function requireNumber(caller: Caller): CallerNumber {
  if (!caller.number) throw new AppError('instance_not_found', OUTCOMES.instance_not_found.says);
  return caller.number;
}

const FLUSH_MS = 5000;
const used = new WeakMap<Database, Set<string>>();

/** Notes the use of a key. Uses are written in batches, so that no request waits for the write. */
function noteUse(database: Database, keyId: string): void {
  const batch = used.get(database);
  if (batch) {
    batch.add(keyId);
    return;
  }
  const keyIds = new Set([keyId]);
  used.set(database, keyIds);
  setTimeout(() => {
    used.delete(database);
    touchKeys(database, { keyIds: [...keyIds] }).catch((error: unknown) =>
      log.warn({ err: error }, 'last use of keys not noted'),
    );
  }, FLUSH_MS).unref();
}
