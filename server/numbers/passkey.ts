import { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import {
  isAssertionFor,
  PasskeyAssertion,
  type PasskeyAttempt,
  type PasskeyReply,
  REPLY_TO,
} from '#server/core/passkey.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { AccountContext, AccountScope } from '#server/platform/db/context.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import { changeInside } from './change-number.ts';
import { type OfNumber, requireNumberRow } from './get-number.ts';
import { consoleCode } from './passkey-tools.ts';
import type { NumberRef } from './queries/numbers.ts';
import { findPasskey, writePasskeyReply } from './queries/passkeys.ts';

/** Who signs: a user in one of their browsers. */
export interface Signer {
  userId: string;
  /** The sign-in of that browser. */
  signInId: string;
}

/** A step as a member sees it, without what only the signing browser gets. */
export function shownPasskey({ attempt, step }: PasskeyAttempt) {
  return {
    attempt,
    at: step.at,
    code: step.at === 'code' ? step.code : null,
    why: step.at === 'failed' ? step.why : null,
  };
}

/**
 * What a browser has to sign on WhatsApp's site to link the number, with a token for the answer: it counts once, for this
 * attempt, number, person and sign-in; and code for the console that does it. Throws `not_found`, and `not_connected` if nothing is asked now.
 */
export async function passkeyToSign(scope: AccountScope, { numberId, ...signer }: OfNumber & Signer) {
  await requireNumberRow(scope, { numberId });
  const found = await findPasskey(scope.database.db, { accountId: scope.accountId, numberId });
  if (found?.step.at !== 'sign') throw notAsked();
  const token = seal(JSON.stringify({ attempt: found.attempt, ...signer }), tokenOf(numberId));
  const { request } = found.step;
  return { token, request, consoleCode: consoleCode({ token, request }) };
}

/**
 * Gives the page what a browser signed. It is used once, and deleted as soon as the worker has read it. Throws
 * `not_found`, `invalid_parameters` for a text that is no answer to this request, and `not_connected` if the attempt is over.
 */
export async function answerPasskey(
  context: AccountContext,
  { numberId, userId, signInId, answer }: OfNumber & Signer & { answer: string },
): Promise<void> {
  await requireNumberRow(context, { numberId });
  const { token, assertion } = readAnswer(answer);
  const given = readToken(numberId, token);
  if (!given || given.userId !== userId || given.signInId !== signInId) throw notAnAnswer();
  await reply(context, { numberId, attempt: given.attempt }, (found) => {
    if (found.step.at !== 'sign') throw notAsked();
    if (!isAssertionFor(found.step.request, assertion)) throw notAnAnswer();
    return { kind: 'signed', assertion };
  });
}

/** The codes are equal (`confirm`), or the next attempt may start (`retry`). Throws `not_found`, `not_connected`. */
export async function continuePasskey(
  context: AccountContext,
  { numberId, attempt, kind }: OfNumber & { attempt: string; kind: 'confirm' | 'retry' },
): Promise<void> {
  await reply(context, { numberId, attempt }, (found) => {
    if (found.step.at !== REPLY_TO[kind]) throw notAsked();
    return { kind };
  });
}

async function reply(
  context: AccountContext,
  { numberId, attempt }: OfNumber & { attempt: string },
  replyTo: (found: PasskeyAttempt) => PasskeyReply,
): Promise<void> {
  await context.database.db.transaction((tx) =>
    changeInside(tx, context, { numberId, action: 'number.passkey' }, async (_, ref) => {
      const given = replyTo(await requireAttempt(tx, ref, attempt));
      if (!(await writePasskeyReply(tx, { ...ref, attempt, reply: given }))) throw notAsked();
      return { did: given.kind };
    }),
  );
}

async function requireAttempt(tx: Tx, ref: NumberRef, attempt: string): Promise<PasskeyAttempt> {
  const found = await findPasskey(tx, ref);
  if (found?.attempt !== attempt) throw notAsked();
  return found;
}

const Answer = z.object({ token: z.string(), assertion: PasskeyAssertion });
const Token = z.object({ attempt: z.string(), userId: z.string(), signInId: z.string() });
const tokenOf = (numberId: string) => ({ use: 'passkey token', owner: numberId });

function readAnswer(text: string): z.output<typeof Answer> {
  try {
    return Answer.parse(JSON.parse(text));
  } catch {
    throw notAnAnswer();
  }
}

function readToken(numberId: string, token: string): z.output<typeof Token> | null {
  try {
    return Token.parse(JSON.parse(unseal(token, tokenOf(numberId))));
  } catch {
    return null;
  }
}

function notAsked(): AppError {
  return new AppError(
    'not_connected',
    'WhatsApp does not ask for this now. The page shows what it asks for.',
  );
}

function notAnAnswer(): AppError {
  return new AppError(
    'invalid_parameters',
    'This does not answer the current request. Start again with step 1.',
  );
}
