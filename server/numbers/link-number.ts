import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { accessMessage, linkingMessage, planWorks } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { endsLink } from '#server/core/number/ends-link.ts';
import { LINKING_MS, type NumberStatus, shownStatus } from '#server/core/number-state.ts';
import { PERSON, recipientHint } from '#server/core/recipient.ts';
import { planOf } from '#server/plans/plan-of.ts';
import { beginTrial } from '#server/plans/trial.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { type AccountContext, type AccountScope, inside } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { causeText } from './cause-text.ts';
import { changeInside, changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import { getNumber, requireNumberRow } from './get-number.ts';
import { isWithinPlan, type NumberView } from './number-view.ts';
import { shownPasskey } from './passkey.ts';
import { findNumberLink, noteCodesSeen, setIntent } from './queries/intents.ts';
import { giveUpStranded } from './queries/moves.ts';
import { setStatus } from './queries/number-events.ts';
import { countPlanPlaces, type NumberRef, type NumberRow } from './queries/numbers.ts';
import { WORDS } from './words.ts';

/** States without a session that a new link would cut off. */
const LINKABLE: readonly NumberStatus[] = ['UNLINKED', 'LINKING', 'LOGGED_OUT'];

/** What linking shows right now. Only for the owner's screen: never log or cache it. */
export type LinkingView = Awaited<ReturnType<typeof linkingView>>;

/** Throws `not_found`. */
export async function linkingView(scope: AccountScope, { numberId }: OfNumber) {
  const number = await requireNumberRow(scope, { numberId });
  const link = await findNumberLink(scope.database.db, { accountId: scope.accountId, numberId });
  return {
    status: shownStatus(number),
    statusReason: causeText(number.cause),
    /** The owner asked to link, whether or not a worker has started. */
    open: number.intent === 'link',
    /** A phone is linked, and its session is kept alive; it may still be getting ready. */
    linked: number.intent === 'run',
    linkUntil: number.linkUntil,
    qr: link?.qr ?? null,
    qrExpiresAt: link?.qrExpiresAt ?? null,
    pairingCode: link?.pairingCode ?? null,
    syncPercent: link?.syncPercent ?? null,
    /** What WhatsApp asks for the number's passkey, step by step; without the request, which is only for a browser. */
    passkey: link?.passkey ? shownPasskey(link.passkey) : null,
  };
}

/** The same for a screen that shows the codes to a person: soon after the last such call they end. */
export async function showLinking(scope: AccountScope, { numberId }: OfNumber): Promise<LinkingView> {
  await noteCodesSeen(scope.database.db, { accountId: scope.accountId, numberId });
  return linkingView(scope, { numberId });
}

/**
 * Opens linking for at most five minutes, while codes are seen ({@link showLinking}): a worker shows a QR, or a pairing code for `pairingPhone` (digits). A repeat
 * starts over. A number that waits for a missing server is linked without its old session. Throws `not_found`;
 * `plan_inactive` without a working plan or a trial, or if the plan is full; `forbidden` while suspended;
 * `already_exists` if a phone is linked; `invalid_parameters`.
 */
export async function openLinking(
  context: AccountContext,
  { numberId, pairingPhone }: OfNumber & { pairingPhone?: string | undefined },
): Promise<NumberView> {
  const { database, accountId } = context;
  if (pairingPhone !== undefined && !PERSON.test(pairingPhone))
    throw new AppError('invalid_parameters', recipientHint('The phone number', pairingPhone, false));
  return database.db.transaction(async (tx) => {
    // Two numbers that are linked at once must not both take the plan's last place.
    const account = await lockAccount(tx, { accountId });
    if (!account) throw notFound('number');
    await changeInside(tx, context, { numberId, action: 'number.link' }, async (_, ref, number) => {
      if (account.suspended) throw new AppError('plan_inactive', accessMessage('suspended'));
      if (!(await givesUpOldSession(tx, ref, number))) requireLinkable(number);
      await requirePlace(tx, context, number);
      await setIntent(tx, {
        ...ref,
        intent: 'link',
        linkForMs: LINKING_MS,
        pairingPhone: pairingPhone ?? null,
      });
      return { by: pairingPhone === undefined ? 'qr' : 'code' };
    });
    return getNumber(inside(tx, context), { numberId });
  });
}

/** Ends linking before its time. A phone that was linked just before stays linked. Throws `not_found`. */
export async function cancelLinking(context: AccountContext, { numberId }: OfNumber): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.link_cancel' }, async (tx, ref, number) => {
    if (number.intent !== 'link' || number.status === 'SYNCING' || number.status === 'CONNECTED') return null;
    await setIntent(tx, { ...ref, intent: 'idle' });
    if (number.status === 'LINKING') await setStatus(tx, { ...ref, status: 'UNLINKED', cause: null });
    return {};
  });
}

/** Gives up a session on a server that is gone, so that the number can be linked without it. */
async function givesUpOldSession(tx: Tx, ref: NumberRef, number: NumberRow): Promise<boolean> {
  if (number.suspended || !(number.status === 'RECONNECTING' || number.intent === 'unlink')) return false;
  return giveUpStranded(tx, ref);
}

function requireLinkable(number: NumberRow): void {
  if (number.suspended) throw new AppError('forbidden', WORDS.suspended);
  if (number.network === 'sandbox' && !settings.sandbox) throw new AppError('forbidden', WORDS.sandboxOff);
  if (number.intent === 'unlink')
    throw new AppError('already_exists', 'This number is being unlinked. Try again in a moment.');
  if (!LINKABLE.includes(number.status) && !(number.status === 'BLOCKED' && endsLink(number.cause)))
    throw new AppError(
      'already_exists',
      'A phone is linked to this number. Unlink it before you link another.',
    );
}

async function requirePlace(tx: Tx, context: AccountContext, number: NumberRow): Promise<void> {
  const { accountId } = context;
  const plan = await planOf(inside(tx, context));
  if (plan.state === 'none') return beginTrial(tx, context, number);
  if (!planWorks(plan.state)) throw new AppError('plan_inactive', linkingMessage(plan.state, number.network));
  if (!isWithinPlan(number)) throw new AppError('plan_inactive', accessMessage('excess'));
  if (number.firstLinkedAt !== null) return;
  const taken = await countPlanPlaces(tx, { accountId, exceptId: number.id });
  if (taken < plan.numbersIncluded) return;
  const included =
    plan.numbersIncluded === 1 ? '1 number, and it is' : `${plan.numbersIncluded} numbers, and all are`;
  throw new AppError(
    'plan_inactive',
    `The plan includes ${included} in use. To link another number, remove one or extend the plan.`,
  );
}
