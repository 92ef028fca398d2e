import type { CapStatus } from '#server/core/engine.ts';
import { budgetOn, type ContactLimit, waitForContact } from '#server/core/new-contacts.ts';
import { notFound } from '#server/core/not-found.ts';
import { type HealthWords, healthWords } from '#server/core/number-health.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import type { OfNumber } from './get-number.ts';
import { findHealth, type HealthRow } from './queries/number-health.ts';

/** A number's health at WhatsApp, as its owner sees it. */
export interface NumberHealthView extends HealthWords {
  protected: boolean;
  /** When its phone was linked to it; null if never. */
  linkedAt: Date | null;
  /** Until when WhatsApp refuses the number altogether; null if it does not, or if no end is known. */
  blockedUntil: Date | null;
  /** New conversations are refused until then (null: no end is known). Null without a timelock. */
  timelock: { kind: string; until: Date | null } | null;
  cap: { status: CapStatus; total: number | null; used: number | null; until: Date | null } | null;
  /** The check that WhatsApp asks for, `PASSKEY` or `CAPTCHA`; else null. */
  checkpoint: string | null;
  newContacts: {
    /** Are new contacts allowed now? If not: what forbids it, and when it is possible again. */
    allowed: boolean;
    limit: ContactLimit | null;
    nextAt: Date | null;
    /** New contacts allowed in 24 hours, and how many of them are used. Null if the number is not protected. */
    budget: number | null;
    used: number;
  };
  /** Of the last 7 days, since its phone was linked to it. */
  lately: { messages: number; notTaken: number; people: number; newPeople: number };
  /** When the page was last read; null when it never was. */
  readAt: Date | null;
}

/** The health of one number of an account. Throws `not_found`. */
export async function numberHealth(
  { database, accountId }: AccountScope,
  { numberId }: OfNumber,
): Promise<NumberHealthView> {
  const row = await findHealth(database.db, { accountId, numberId });
  if (!row) throw notFound('number');
  return toHealthView(row);
}

export function toHealthView(row: HealthRow, now = Date.now()): NumberHealthView {
  const budget = row.protected ? budgetOn(row.linkDays, settings.newContactsPerDay) : null;
  const { waitMs, limit } = waitForContact({ ...row, budget });
  const { left: messages, notTaken, people, newPeople } = row;
  const locked = row.timelockKind !== null && (row.timelockMs ?? 0) > 0;
  return {
    ...healthWords({ ...row, limit, messages }),
    protected: row.protected,
    linkedAt: row.linkedAt,
    blockedUntil: row.blockedUntil,
    timelock:
      locked && row.timelockKind !== null ? { kind: row.timelockKind, until: row.timelockUntil } : null,
    cap: row.capStatus && {
      status: row.capStatus,
      total: row.capTotal,
      used: row.capUsed,
      until: row.capUntil,
    },
    checkpoint: row.checkpoint,
    newContacts: {
      allowed: waitMs === 0,
      limit,
      nextAt: waitMs === 0 ? null : new Date(now + waitMs),
      budget,
      used: row.takenInMs.length,
    },
    lately: { messages, notTaken, people, newPeople },
    readAt: row.readAt,
  };
}
