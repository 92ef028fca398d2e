import { setTimeout as delay } from 'node:timers/promises';
import qrcode from 'qrcode';
import { AppError } from '#server/core/errors.ts';
import { LINKING_MS } from '#server/core/number-state.ts';
import { PASSKEY_MS } from '#server/core/passkey.ts';
import { escapeControls } from '#server/core/printable.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { type LinkingView, linkingView, openLinking, showLinking } from '#server/numbers/link-number.ts';
import type { NumberView } from '#server/numbers/number-view.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { setSandboxPhone } from '#server/sandbox/set-sandbox-phone.ts';
import { requireWorker } from './require-worker.ts';

const POLL_MS = 200;
/** A virtual phone scans at once; the rest is the time to start a browser. */
const SANDBOX_LIMIT_MS = 120_000;
/** A person has five minutes to scan, and ten for a passkey; then a large account still has to sync. */
const REAL_LIMIT_MS = LINKING_MS + PASSKEY_MS + 180_000;

interface ToLink {
  numberId: string;
  /** Sandbox: the virtual phone that scans. Real network: get a pairing code for this phone. */
  phone: string | undefined;
}

/**
 * Links a number and returns it when it is connected. On the sandbox its virtual phone scans the QR; on the
 * real network the QR (or pairing code) is shown on stderr, each new one again, for a person to scan. A number
 * that is linked already is only waited for. Throws what `openLinking` throws, `unavailable` when nothing runs
 * that could link, and `not_connected` with the reason when linking ends otherwise.
 */
export async function linkNumber(context: AccountContext, toLink: ToLink): Promise<NumberView> {
  const { numberId, phone } = toLink;
  await requireWorker(context.database);
  const number = await getNumber(context, toLink);
  const sandbox = number.network === 'sandbox';
  if (sandbox && phone !== undefined) await setSandboxPhone(context, { numberId, sandboxPhone: phone });
  if (!(await isLinked(context, toLink, number)))
    await openLinking(context, { numberId, pairingPhone: sandbox ? undefined : phone });
  const scanner = sandbox ? virtualScanner(phone ?? number.sandboxPhone ?? '') : personalScanner();
  return awaitConnected(context, toLink, scanner, sandbox ? SANDBOX_LIMIT_MS : REAL_LIMIT_MS);
}

/** Whether the intended phone is already linked, so that there is nothing to scan. */
async function isLinked(context: AccountContext, toLink: ToLink, number: NumberView): Promise<boolean> {
  const { linked } = await linkingView(context, toLink);
  return linked && (toLink.phone === undefined || toLink.phone === number.phoneNumber);
}

async function awaitConnected(
  context: AccountContext,
  toLink: ToLink,
  scan: (view: LinkingView) => Promise<void>,
  limitMs: number,
): Promise<NumberView> {
  const until = performance.now() + limitMs;
  for (;;) {
    const view = await showLinking(context, toLink);
    if (view.status === 'CONNECTED') return getNumber(context, toLink);
    if (!view.open && !view.linked) throw notLinked('Linking ended.', view);
    if (performance.now() > until)
      throw notLinked(`The number was not connected within ${limitMs / 1000} s.`, view);
    await scan(view);
    await delay(POLL_MS);
  }
}

function notLinked(what: string, { status, statusReason }: LinkingView): AppError {
  return new AppError('not_connected', `${what} The number is ${status}. ${statusReason ?? 'Try again.'}`);
}

/** The virtual phone scans each QR once; an expired one is followed by the next. */
function virtualScanner(phone: string): (view: LinkingView) => Promise<void> {
  let scanned: string | null = null;
  return async ({ qr }) => {
    if (qr === null || qr === scanned) return;
    scanned = qr;
    try {
      await sandboxClient().scan({ phone, qr });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
  };
}

/** Shows each new QR or pairing code, and each reason, once. */
function personalScanner(): (view: LinkingView) => Promise<void> {
  let shown = '';
  return async ({ qr, pairingCode, statusReason }) => {
    const now = [pairingCode ? null : qr, pairingCode, statusReason].join('\n');
    if (now === shown) return;
    shown = now;
    if (statusReason) process.stderr.write(`${escapeControls(statusReason)}\n`);
    if (pairingCode)
      process.stderr.write(
        `On the phone: WhatsApp, Linked devices, Link with phone number. Enter ${escapeControls(pairingCode)}\n`,
      );
    else if (qr)
      process.stderr.write(
        `${await qrcode.toString(qr, { type: 'terminal', small: true, errorCorrectionLevel: 'L' })}\nOn the phone: WhatsApp, Linked devices, Link a device. Scan this.\n`,
      );
  };
}
