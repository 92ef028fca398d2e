import { budgetOn, waitForContact } from '#server/core/new-contacts.ts';
import { notFound } from '#server/core/not-found.ts';
import { parseCause } from '#server/core/number/cause.ts';
import { healthWords } from '#server/core/number-health.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { causeText } from './cause-text.ts';
import type { OfNumber } from './get-number.ts';
import { findHealth, type HealthRow } from './queries/number-health.ts';

/** The health of one number of an account. Throws `not_found`. */
export async function numberHealth({ database, accountId }: AccountScope, { numberId }: OfNumber) {
  const row = await findHealth(database.db, { accountId, numberId });
  if (!row) throw notFound('number');
  return toHealthView(row);
}

/** A number's health at WhatsApp, as its owner sees it. */
function toHealthView(row: HealthRow) {
  const budget = row.protected ? budgetOn(row.linkDays, settings.newContactsPerDay) : null;
  const { waitMs, limit } = waitForContact({ ...row, budget });
  const { left: messages, notTaken, people, newPeople } = row;
  const locked = row.timelockKind !== null && (row.timelockMs ?? 0) > 0;
  return {
    ...healthWords({ ...row, limit, messages }),
    protected: row.protected,
    /** Why it is in its state, as a sentence for its owner. */
    statusReason: causeText(parseCause(row.cause)),
    /** When its phone was linked to it; null if never. */
    linkedAt: row.linkedAt,
    /** Until when WhatsApp refuses the number altogether; null if it does not, or if no end is known. */
    blockedUntil: row.blockedUntil,
    /** New conversations are refused until then (null: no end is known). Null without a timelock. */
    timelock:
      locked && row.timelockKind !== null ? { kind: row.timelockKind, until: row.timelockUntil } : null,
    cap: row.capStatus && {
      status: row.capStatus,
      total: row.capTotal,
      used: row.capUsed,
      until: row.capUntil,
    },
    /** The check that WhatsApp asks for, `PASSKEY` or `CAPTCHA`; else null. */
    checkpoint: row.checkpoint,
    newContacts: {
      /** Are new contacts allowed now? If not: what forbids it, and when it is possible again. */
      allowed: waitMs === 0,
      limit,
      nextAt: waitMs === 0 ? null : new Date(Date.now() + waitMs),
      /** New contacts allowed in 24 hours, and how many of them are used. Null if the number is not protected. */
      budget,
      used: row.takenInMs.length,
    },
    /** Of the last 7 days, since its phone was linked to it. */
    lately: { messages, notTaken, people, newPeople },
    /** When the page was last read; null when it never was. */
    readAt: row.readAt,
  };
}
