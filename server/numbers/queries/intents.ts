import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { NumberIntent } from '#server/core/number-state.ts';
import type { PasskeyAttempt } from '#server/core/passkey.ts';
import type { Db } from '#server/platform/db/client.ts';
import { numberLinks, numbers } from '#server/schema/index.ts';
import { unsealLinking } from './linking-seal.ts';
import { itself, type NumberRef } from './numbers.ts';
import { unsealPasskey } from './passkeys.ts';

/** Sets the owner's intent for a number. The revision shows the worker that the intent is new. */
export async function setIntent(
  db: Db,
  params: NumberRef & {
    intent: NumberIntent;
    /** For `link`: how long, and the phone to make a pairing code for. */
    linkForMs?: number;
    pairingPhone?: string | null;
  },
): Promise<void> {
  const { intent, linkForMs, pairingPhone = null } = params;
  // A QR code of an earlier linking must not be shown for this one.
  await db
    .delete(numberLinks)
    .where(inArray(numberLinks.numberId, db.select({ id: numbers.id }).from(numbers).where(itself(params))));
  await db
    .update(numbers)
    .set({
      intent,
      intentRevision: sql`${numbers.intentRevision} + 1`,
      linkUntil:
        linkForMs === undefined ? null : sql`clock_timestamp() + ${linkForMs} * interval '1 millisecond'`,
      linkSeenAt: linkForMs === undefined ? null : sql`clock_timestamp()`,
      // Why an earlier linking ended is not about this one. Why WhatsApp blocks the number stays until a phone is linked.
      ...(intent === 'link' && {
        cause: sql`case when ${numbers.status} = 'BLOCKED' then ${numbers.cause} end`,
      }),
      pairingPhone,
    })
    .where(itself(params));
}

/** How exactly looks are kept. A change is announced to workers and pages. */
const SEEN_EVERY_MS = 10_000;

/** A screen shows the codes of this number's linking. */
export async function noteCodesSeen(db: Db, params: NumberRef): Promise<void> {
  const before = sql`clock_timestamp() - ${SEEN_EVERY_MS} * interval '1 millisecond'`;
  await db
    .update(numbers)
    .set({ linkSeenAt: sql`clock_timestamp()` })
    .where(and(itself(params), eq(numbers.intent, 'link'), lt(numbers.linkSeenAt, before)));
}

export interface NumberLinkRow {
  qr: string | null;
  qrExpiresAt: Date | null;
  pairingCode: string | null;
  syncPercent: number | null;
  passkey: PasskeyAttempt | null;
}

/** What the linking page shows now, without expired codes. */
export async function findNumberLink(db: Db, params: NumberRef): Promise<NumberLinkRow | null> {
  const fresh = sql`${numberLinks.qrExpiresAt} > clock_timestamp()`;
  const [found] = await db
    .select({
      qr: sql<string | null>`case when ${fresh} then ${numberLinks.qr} end`,
      qrExpiresAt: sql<Date | null>`case when ${fresh} then ${numberLinks.qrExpiresAt} end`.mapWith(
        numberLinks.qrExpiresAt,
      ),
      // The code of a linking that has ended is invalid, and not shown.
      pairingCode: sql<string | null>`case when ${numbers.linkUntil} > clock_timestamp()
        and coalesce(${numberLinks.pairingExpiresAt} > clock_timestamp(), true) then ${numberLinks.pairingCode} end`,
      syncPercent: numberLinks.syncPercent,
      passkey: sql<
        string | null
      >`case when ${numbers.linkUntil} > clock_timestamp() then ${numberLinks.passkey} end`,
    })
    .from(numberLinks)
    .innerJoin(numbers, eq(numbers.id, numberLinks.numberId))
    .where(itself(params));
  if (!found) return null;
  const { qr, pairingCode, passkey, ...rest } = found;
  const opened = (sealed: string | null) => unsealLinking(params.numberId, sealed);
  return {
    ...rest,
    qr: opened(qr),
    pairingCode: opened(pairingCode),
    passkey: unsealPasskey(params.numberId, passkey),
  };
}
