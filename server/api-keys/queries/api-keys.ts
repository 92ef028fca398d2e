import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { countIf, daysAgo, now } from '#server/platform/db/expressions.ts';
import { apiKeys, messages, numbers } from '#server/schema/index.ts';

/** Neither revoked nor expired. */
const works = and(isNull(apiKeys.revokedAt), sql`coalesce(${apiKeys.expiresAt} > clock_timestamp(), true)`);

/** False if it has expired already. */
export async function insertApiKey(
  db: Db,
  key: Pick<
    typeof apiKeys.$inferSelect,
    'id' | 'accountId' | 'numberId' | 'name' | 'hmac' | 'hint' | 'expiresAt'
  >,
): Promise<boolean> {
  const [made] = await db
    .insert(apiKeys)
    .values(key)
    .returning({ works: sql<boolean>`${works}` });
  return made?.works === true;
}

/** How many keys of a number work: neither revoked nor expired. */
export async function countLiveKeys(
  db: Db,
  params: { accountId: string; numberId: string },
): Promise<number> {
  const { accountId, numberId } = params;
  const number = db
    .select({ id: numbers.id })
    .from(numbers)
    .where(and(eq(numbers.id, numberId), eq(numbers.accountId, accountId)));
  return db.$count(apiKeys, and(inArray(apiKeys.numberId, number), works));
}

const row = {
  ...pick(apiKeys, 'id', 'name', 'hint', 'numberId'),
  numberLabel: numbers.label,
  phoneNumber: numbers.phoneNumber,
  network: numbers.network,
  /** The number was removed: the key answers 404 until it is revoked. */
  numberRemoved: sql<boolean>`${numbers.removedAt} is not null`,
  ...pick(apiKeys, 'lastUsedAt', 'expiresAt', 'revokedAt', 'createdAt'),
};

export type ApiKeyRow = SelectResultFields<typeof row>;

// Compares the number's account as well, so that no row shows another account's number.
const itsNumber = and(eq(numbers.id, apiKeys.numberId), eq(numbers.accountId, apiKeys.accountId));

/** An account's keys, newest first, revoked ones included. */
export function listApiKeyRows(db: Db, params: { accountId: string }): Promise<ApiKeyRow[]> {
  return db
    .select(row)
    .from(apiKeys)
    .innerJoin(numbers, itsNumber)
    .where(eq(apiKeys.accountId, params.accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

export async function findApiKeyRow(
  db: Db,
  params: { accountId: string; keyId: string },
): Promise<ApiKeyRow | null> {
  const [found] = await db
    .select(row)
    .from(apiKeys)
    .innerJoin(numbers, itsNumber)
    .where(and(eq(apiKeys.id, params.keyId), eq(apiKeys.accountId, params.accountId)));
  return found ?? null;
}

/**
 * Lets a working key expire `overlapHours` from now, unless it expires sooner anyway, and returns when. Null if
 * the key no longer works.
 */
export async function limitExpiry(
  db: Db,
  params: { accountId: string; keyId: string; overlapHours: number },
): Promise<Date | null> {
  const { accountId, keyId, overlapHours } = params;
  const [limited] = await db
    .update(apiKeys)
    .set({
      expiresAt: sql`least(${apiKeys.expiresAt}, clock_timestamp() + ${overlapHours}::int * interval '1 hour')`,
    })
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId), works))
    .returning({ expiresAt: apiKeys.expiresAt });
  return limited?.expiresAt ?? null;
}

/** Revokes a key; false when it is already revoked or does not exist. */
export async function markRevoked(db: Db, params: { accountId: string; keyId: string }): Promise<boolean> {
  const { rowCount } = await db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(
      and(eq(apiKeys.id, params.keyId), eq(apiKeys.accountId, params.accountId), isNull(apiKeys.revokedAt)),
    );
  return rowCount === 1;
}

/** How often the callers of a key hung up before the answer, and after how long. */
export interface HangUps {
  count: number;
  /** The median, in whole seconds. */
  seconds: number;
  lastAt: Date;
}

/** The keys whose callers hung up on at least `least` messages of the last `days` days. */
export async function findHangUps(
  db: Db,
  { accountId, days, least }: { accountId: string; days: number; least: number },
): Promise<({ keyId: string } & HangUps)[]> {
  const median = sql`percentile_cont(0.5) within group (order by ${messages.hungUpAfterMs})`;
  return db
    .select({
      keyId: sql<string>`${messages.apiKeyId}`,
      count: countIf(),
      lastAt: sql<Date>`max(${messages.createdAt})`,
      seconds: sql<number>`greatest(1, round(${median} / 1000))::int`,
    })
    .from(messages)
    .where(
      and(
        eq(messages.accountId, accountId),
        gt(messages.createdAt, daysAgo(days)),
        isNotNull(messages.hungUpAfterMs),
        isNotNull(messages.apiKeyId),
      ),
    )
    .groupBy(messages.apiKeyId)
    .having(gte(countIf(), least));
}
