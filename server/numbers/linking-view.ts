import { notFound } from '#server/core/not-found.ts';
import { type NumberStatus, shownStatus } from '#server/core/number-state.ts';
import type { Db } from '#server/platform/db/client.ts';
import { findNumberLink, findNumberRow, type NumberRef } from './queries/numbers.ts';

/** What linking shows right now: for the owner's screen alone, never to be logged or cached. */
export interface LinkingView {
  status: NumberStatus;
  statusReason: string | null;
  /** A wish to link is open, whether or not a worker has taken it up. */
  open: boolean;
  /** A phone is linked, and its session is kept alive; it may still be getting ready. */
  linked: boolean;
  linkUntil: Date | null;
  qr: string | null;
  qrExpiresAt: Date | null;
  pairingCode: string | null;
  syncPercent: number | null;
}

/** Throws `not_found`. */
export async function linkingView(db: Db, params: NumberRef): Promise<LinkingView> {
  const number = await findNumberRow(db, params);
  if (!number) throw notFound('number');
  const link = await findNumberLink(db, params);
  return {
    status: shownStatus(number),
    statusReason: number.statusReason,
    open: number.intent === 'link',
    linked: number.intent === 'run',
    linkUntil: number.linkUntil,
    qr: link?.qr ?? null,
    qrExpiresAt: link?.qrExpiresAt ?? null,
    pairingCode: link?.pairingCode ?? null,
    syncPercent: link?.syncPercent ?? null,
  };
}
