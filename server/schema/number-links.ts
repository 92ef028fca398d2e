import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/**
 * What the linking page shows now. QR, pairing code and passkey are sealed, kept only while they are valid, never
 * logged.
 */
export const numberLinks = pgTable('number_links', {
  numberId: ofNumber().primaryKey(),
  qr: text('qr'),
  qrExpiresAt: instant('qr_expires_at'),
  pairingCode: text('pairing_code'),
  syncPercent: integer('sync_percent'),
  updatedAt: instant('updated_at').notNull(),
  pairingExpiresAt: instant('pairing_expires_at'),
  /** The attempt and step of the passkey that WhatsApp asks for. */
  passkey: text('passkey'),
  /** What the owner did about that step. The worker deletes it as it reads it. */
  passkeyReply: text('passkey_reply'),
  passkeyRepliedAt: instant('passkey_replied_at'),
});
