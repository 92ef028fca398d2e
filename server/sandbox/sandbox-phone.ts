import { AppError } from '#server/core/errors.ts';
import { getNumber, type OfNumber } from '#server/numbers/get-number.ts';
import { linkingView } from '#server/numbers/link-number.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { sandboxClient } from './client.ts';
import type { StoredRule } from './rule.ts';

/** Faults for a phone's next message, with their rules. */
export const SURPRISES = {
  /** WhatsApp's server refuses it: definitely not sent. */
  refuse: { stage: 'wire', action: 'refuse' },
  /** No acknowledgement ever comes: its outcome stays unknown. */
  hang: { stage: 'wire', action: 'hang' },
  /** The acknowledgement comes late. */
  late: { stage: 'wire', action: 'late', ms: 6_000 },
  /** The recipient is not on WhatsApp. */
  absent: { stage: 'exists', action: 'not-on-whatsapp' },
} as const;
export type Surprise = keyof typeof SURPRISES;
export const SURPRISE_NAMES = Object.keys(SURPRISES) as [Surprise, ...Surprise[]];

const INBOX_MAX = 2_000;

/** The virtual phone of a sandbox number. Throws `not_found` for any other number. */
export async function sandboxPhoneOf(scope: AccountScope, ofNumber: OfNumber): Promise<string> {
  const number = await getNumber(scope, ofNumber);
  if (number.sandboxPhone === null) {
    throw new AppError('not_found', 'This is a real number, so it has no sandbox phone.');
  }
  return number.sandboxPhone;
}

/** The current state of a sandbox number's phone. Throws `not_found`, and `unavailable` if no sandbox runs. */
export async function sandboxPhone(scope: AccountScope, ofNumber: OfNumber) {
  const phone = await sandboxPhoneOf(scope, ofNumber);
  const sandbox = sandboxClient();
  // The first call about a phone creates it.
  const chats = await sandbox.chats({ phone });
  const [state, inbox, rules, linking] = await Promise.all([
    sandbox.phone({ phone }),
    sandbox.inbox({ phone, limit: INBOX_MAX }),
    sandbox.rules({ phone }),
    linkingView(scope, ofNumber),
  ]);
  const entries = new Map(inbox.map((entry) => [entry.id, entry]));
  return {
    state,
    chats: chats.map((chat) => ({
      ...chat,
      messages: chat.messages.map((message) => ({ ...message, entry: entries.get(message.id) ?? null })),
    })),
    surprises: Object.fromEntries(
      SURPRISE_NAMES.map((name) => [name, rules.some((rule) => isFor(name, rule))]),
    ) as Record<Surprise, boolean>,
    /** The codes that can link this phone. */
    offered: { qr: linking.qr !== null, pairingCode: linking.pairingCode },
  };
}

function isFor(name: Surprise, rule: StoredRule): boolean {
  const { stage, action } = SURPRISES[name];
  return rule.left > 0 && rule.stage === stage && rule.action === action;
}
