import { randomBytes } from 'node:crypto';
import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { notFound } from '#server/core/not-found.ts';
import type { AccountContext, VisitorContext } from '#server/platform/db/context.ts';
import { digest } from '#server/platform/digest.ts';
import { mailer as installed, type Mailer } from '#server/platform/mail/mailer.ts';
import { settings } from '#server/settings.ts';
import { fromAddress, takeTry } from './attempts.ts';
import { joinBy, opensNothing } from './join-account.ts';
import { mailSignUp } from './mail-sign-up.ts';
import { turnsOf } from './password-turns.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import {
  deleteInvitation,
  findInvitation,
  insertInvitation,
  listInvitationRows,
  type OpenInvitation,
} from './queries/invitations.ts';
import type { Role } from './queries/members.ts';
import { insertUser } from './queries/users.ts';
import { requireOwner } from './require-owner.ts';
import { answeredLikeAnyVisitor, requireEmail } from './sign-up.ts';

const LINK_MS = 7 * 86_400_000;
const TOKEN_BYTES = 24;
const WAITING_MAX = 200;
/** Tokens cannot be guessed; this keeps guesses cheap for the server. */
const TRIES = { capacity: 20, perSecond: 1 / 30 } as const;

/**
 * Makes a link by which one person joins an account, once and within 7 days. Only its hash is stored, so only this
 * answer contains it. Throws `invalid_parameters` if too many are pending, `forbidden` for a person who is no
 * longer an owner.
 */
export async function invite(
  { database, accountId, actor }: AccountContext,
  input: { role: Role; note: string },
): Promise<{ link: string; expiresAt: Date }> {
  const { role } = input;
  const note = cleanLine('The note', input.note);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    await requireOwner(tx, { accountId, actor });
    if ((await listInvitationRows(tx, { accountId })).length >= WAITING_MAX)
      throw new AppError(
        'invalid_parameters',
        `At most ${WAITING_MAX} invitations can be pending. Withdraw some first.`,
      );
    const id = newId('invitation');
    const { expiresAt } = await insertInvitation(tx, {
      id,
      tokenHash: digest(token),
      accountId,
      role,
      note,
      invitedBy: actor.kind === 'user' ? actor.userId : null,
      holdsForMs: LINK_MS,
    });
    await audit(tx, { actor, accountId, action: 'person.invite', target: id, detail: { role } });
    // In the fragment, so that no server's log and no Referer contains it.
    return { link: `${settings.publicUrl}/join#${token}`, expiresAt };
  });
}

/** Withdraws an invitation: its link stops working. Throws `not_found`. */
export async function withdrawInvitation(
  { database, accountId, actor }: AccountContext,
  { invitationId }: { invitationId: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    if (!(await deleteInvitation(tx, { accountId, invitationId })))
      throw new AppError('not_found', 'This invitation no longer exists.');
    await audit(tx, { actor, accountId, action: 'person.uninvite', target: invitationId });
  });
}

/** The account that a link invites to. Throws `not_found` for a link that does not work, `rate_limited`. */
export async function openInvitation(
  { database, address }: VisitorContext,
  { token }: { token: string },
): Promise<Pick<OpenInvitation, 'accountName' | 'role'>> {
  await takeTry({ database }, tries(address), 'open an invitation');
  const found = await findInvitation(database.db, { tokenHash: digest(token) });
  if (!found) throw opensNothing();
  return { accountName: found.accountName, role: found.role };
}

/**
 * Joins an account by a link. Throws `not_found`, and `already_exists` for a member, after which the link still
 * works.
 */
export async function joinAccount(
  { database, address, userId }: VisitorContext & { userId: string },
  { token }: { token: string },
): Promise<{ accountId: string }> {
  await takeTry({ database }, tries(address), 'open an invitation');
  return database.db.transaction((tx) => joinBy(tx, { tokenHash: digest(token), userId, address }));
}

/**
 * Makes a user who joins an account by a link, also if sign-up is closed. If mails can be sent, the user is made
 * once they confirm the address. If the address belongs to a user, nothing is made, and the answer takes the same
 * time. Throws `not_found`, `invalid_parameters`, `rate_limited`.
 */
export async function signUpToJoin(
  context: VisitorContext,
  input: { token: string; email: string; password: string; mailer?: Mailer | null },
): Promise<{ mailed: boolean; done?: Promise<void> }> {
  const { database, address } = context;
  const { token, password, mailer = installed() } = input;
  await takeTry({ database }, tries(address), 'open an invitation');
  const answer = answeredLikeAnyVisitor();
  const tokenHash = digest(token);
  if (!(await findInvitation(database.db, { tokenHash }))) throw opensNothing();
  const email = requireEmail(input.email);
  requireGoodPassword(password, email);
  if (mailer) {
    const asked = { email, password, accountName: null, invitationHash: tokenHash, mailer };
    return { mailed: true, ...(await mailSignUp(context, asked)) };
  }
  const passwordHash = await hashPassword(password, turnsOf(email, address));
  const userId = newId('user');
  await database.db.transaction(async (tx) => {
    if (await insertUser(tx, { id: userId, email, passwordHash, admin: false, emailConfirmed: false }))
      await joinBy(tx, { tokenHash, userId, address });
  });
  await answer();
  return { mailed: false };
}

const tries = (address: string | null) => ({ key: fromAddress('join', address), ...TRIES });
