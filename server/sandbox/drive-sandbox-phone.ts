import { AppError } from '#server/core/errors.ts';
import { linkingView } from '#server/numbers/linking-view.ts';
import type { NumberRef } from '#server/numbers/queries/numbers.ts';
import type { Db } from '#server/platform/db/client.ts';
import { sandboxClient } from './client.ts';
import { SURPRISE_NAMES, SURPRISES, type Surprise, sandboxPhoneOf } from './sandbox-phone.ts';

/** What a person can do with the virtual phone in their hand. */
export const PHONE_ACTIONS = [
  'scan',
  'unlink',
  'offline',
  'online',
  'replaced',
  'confirmPasskey',
  'clearInbox',
] as const;
export type PhoneAction = (typeof PHONE_ACTIONS)[number];

/**
 * Does something with a sandbox number's phone. `scan` reads the code that the number's linking shows right
 * now. Throws `not_found`, `not_connected` where the action needs a linked phone or a code on the screen, and
 * `unavailable`.
 */
export async function drivePhone(db: Db, params: NumberRef & { phoneAction: PhoneAction }): Promise<void> {
  const { phoneAction } = params;
  const phone = await sandboxPhoneOf(db, params);
  const sandbox = sandboxClient();
  if (phoneAction !== 'scan') {
    await sandbox[phoneAction]({ phone });
    return;
  }
  const { qr } = await linkingView(db, params);
  if (qr === null) {
    throw new AppError(
      'not_connected',
      'There is no code to scan right now. Start linking for this number. Its code appears within seconds.',
    );
  }
  await sandbox.scan({ phone, qr });
}

/** Types a pairing code on the phone. Throws `not_found`, `invalid_parameters` for a code that is not shown. */
export async function enterPairingCode(db: Db, params: NumberRef & { code: string }): Promise<void> {
  const phone = await sandboxPhoneOf(db, params);
  await sandboxClient().enterCode({ phone, code: params.code.replace(/[\s-]/g, '').toUpperCase() });
}

/** Somebody answers in one of the phone's chats, or writes for the first time. `from` is digits. */
export async function receiveReply(
  db: Db,
  params: NumberRef & { from: string; body: string },
): Promise<void> {
  const phone = await sandboxPhoneOf(db, params);
  await sandboxClient().receive({ phone, from: params.from, body: params.body });
}

/** Whether messages count as delivered and read automatically, from the next one on. */
export async function setDelivery(
  db: Db,
  params: NumberRef & { delivered: boolean; read: boolean },
): Promise<void> {
  const phone = await sandboxPhoneOf(db, params);
  // Nobody reads what was not delivered.
  const deliveredMs = params.delivered ? 1_200 : null;
  const readMs = params.delivered && params.read ? 3_500 : null;
  await sandboxClient().setDelivery({ phone, deliveredMs, readMs });
}

/** Prepares, or calls off, a surprise for the next message. */
export async function setSurprise(
  db: Db,
  params: NumberRef & { surprise: Surprise; on: boolean },
): Promise<void> {
  const { surprise, on } = params;
  const phone = await sandboxPhoneOf(db, params);
  const sandbox = sandboxClient();
  if (on) {
    await sandbox.addRule({ phone, rule: { ...SURPRISES[surprise], times: 1 } });
    return;
  }
  const rules = await sandbox.rules({ phone });
  const others = SURPRISE_NAMES.filter(
    (name) =>
      name !== surprise &&
      rules.some((rule) => rule.stage === SURPRISES[name].stage && rule.action === SURPRISES[name].action),
  );
  await sandbox.clearRules({ phone });
  for (const name of others) await sandbox.addRule({ phone, rule: { ...SURPRISES[name], times: 1 } });
}
