import { AppError } from '#server/core/errors.ts';
import type { OfNumber } from '#server/numbers/get-number.ts';
import { linkingView } from '#server/numbers/link-number.ts';
import { answerPasskey, passkeyToSign, type Signer } from '#server/numbers/passkey.ts';
import type { AccountContext, AccountScope } from '#server/platform/db/context.ts';
import { sandboxClient } from './client.ts';
import { SURPRISE_NAMES, SURPRISES, type Surprise, sandboxPhoneOf } from './sandbox-phone.ts';

/** What a person can do with a virtual phone. */
export const PHONE_ACTIONS = ['scan', 'unlink', 'offline', 'online', 'replaced', 'clearInbox'] as const;
export type PhoneAction = (typeof PHONE_ACTIONS)[number];

/**
 * Performs an action of a sandbox number's phone. `scan` uses the QR that linking shows now. Throws `not_found`,
 * `not_connected` if the action needs a linked phone or a code, and `unavailable`.
 */
export async function drivePhone(
  scope: AccountScope,
  input: OfNumber & { phoneAction: PhoneAction },
): Promise<void> {
  const { phoneAction } = input;
  const phone = await sandboxPhoneOf(scope, input);
  const sandbox = sandboxClient();
  if (phoneAction !== 'scan') {
    await sandbox[phoneAction]({ phone });
    return;
  }
  const { qr } = await linkingView(scope, input);
  if (qr === null) {
    throw new AppError(
      'not_connected',
      'There is no code to scan right now. Start linking for this number. Its code appears within seconds.',
    );
  }
  await sandbox.scan({ phone, qr });
}

/** Signs what WhatsApp asks for with the phone's passkey. Throws `not_found`, `not_connected` if it asks for nothing. */
export async function signWithPhone(context: AccountContext, input: OfNumber & Signer): Promise<void> {
  const phone = await sandboxPhoneOf(context, input);
  const { token, request } = await passkeyToSign(context, input);
  const assertion = await sandboxClient().signPasskey({ phone, request });
  await answerPasskey(context, { ...input, answer: JSON.stringify({ token, assertion }) });
}

/** Whether linking this phone requires its passkey. */
export async function demandPasskey(
  scope: AccountScope,
  input: OfNumber & { demanded: boolean },
): Promise<void> {
  const phone = await sandboxPhoneOf(scope, input);
  await sandboxClient().demandPasskey({ phone, demanded: input.demanded });
}

/** Types a pairing code on the phone. Throws `not_found`, `invalid_parameters` for a code that is not shown. */
export async function enterPairingCode(
  scope: AccountScope,
  input: OfNumber & { code: string },
): Promise<void> {
  const phone = await sandboxPhoneOf(scope, input);
  await sandboxClient().enterCode({ phone, code: input.code.replace(/[\s-]/g, '').toUpperCase() });
}

/** The phone receives a message, in an existing or a new chat. `from` is digits. */
export async function receiveReply(
  scope: AccountScope,
  input: OfNumber & { from: string; body: string },
): Promise<void> {
  const phone = await sandboxPhoneOf(scope, input);
  await sandboxClient().receive({ phone, from: input.from, body: input.body });
}

/** Whether new messages count as delivered and read automatically. */
export async function setDelivery(
  scope: AccountScope,
  input: OfNumber & { delivered: boolean; read: boolean },
): Promise<void> {
  const phone = await sandboxPhoneOf(scope, input);
  // A message that was not delivered cannot be read.
  const deliveredMs = input.delivered ? 1_200 : null;
  const readMs = input.delivered && input.read ? 3_500 : null;
  await sandboxClient().setDelivery({ phone, deliveredMs, readMs });
}

/** Sets or removes a fault for the next message. */
export async function setSurprise(
  scope: AccountScope,
  input: OfNumber & { surprise: Surprise; on: boolean },
): Promise<void> {
  const { surprise, on } = input;
  const phone = await sandboxPhoneOf(scope, input);
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
