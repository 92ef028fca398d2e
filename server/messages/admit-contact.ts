import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import { budgetOn, waitForContact } from '#server/core/new-contacts.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { ASYNC_DEADLINE_SECONDS } from '#server/core/pacing/waits.ts';
import { isGroup, type Recipient } from '#server/core/recipient.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { settings } from '#server/settings.ts';
import type { AdmissionRow } from './queries/admission.ts';
import { noteAsked, readNewContact } from './queries/new-contacts.ts';

/**
 * Checks a message to a new contact and counts the contact, in the transaction of the admission. Resolves to how
 * long the message must wait, in ms; null for groups and known contacts. Throws `new_contacts` if WhatsApp
 * restricts the number, or if the number's protection delays the message beyond its deadline or it may not wait.
 */
export async function admitContact(
  tx: Tx,
  row: Pick<AdmissionRow, 'recipientKnown'>,
  params: { numberId: string; recipient: Recipient; mode: AnswerMode; scheduledInMs: number },
): Promise<number | null> {
  const { numberId, recipient, mode, scheduledInMs } = params;
  if (isGroup(recipient) || row.recipientKnown) return null;
  const found = await readNewContact(tx, { numberId, recipient });
  const { askedInMs } = found;
  const budget = found.protected ? budgetOn(found.linkDays, settings.newContactsPerDay) : null;
  const whole = waitForContact({ ...found, budget });
  const restriction = waitForContact({ ...found, budget: null });
  // A contact that already counts is not counted again, and waits at most until its counted time.
  const budgetMs = askedInMs === null ? whole.waitMs : Math.min(whole.waitMs, Math.max(0, askedInMs));
  const waitMs = Math.max(restriction.waitMs, budgetMs);
  const limit = (waitMs > restriction.waitMs ? null : restriction.limit) ?? 'budget';
  // A limit that ends before the message's own time does not delay the message.
  if (waitMs > scheduledInMs) {
    const ours = limit === 'pause' || limit === 'budget';
    const waitsMs =
      mode.kind === 'sync' ? 0 : scheduledInMs + (mode.expiresInSeconds ?? ASYNC_DEADLINE_SECONDS) * 1000;
    if (!ours || waitMs >= waitsMs) {
      metrics().contactsRefused.inc({ limit });
      const until = new Date(Date.now() + waitMs);
      throw new AppError('new_contacts', OUTCOMES.new_contacts.says.limit(limit, until, budget), {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
        sendOutcome: 'not_sent',
      });
    }
  }
  const inMs = Math.max(waitMs, scheduledInMs);
  if (askedInMs === null || inMs < askedInMs) await noteAsked(tx, { numberId, recipient, inMs });
  return waitMs > scheduledInMs ? waitMs : null;
}
