import { audit } from '#server/accounts/audit.ts';
import { AppError } from '#server/core/errors.ts';
import type { ActorContext, InstallationScope } from '#server/platform/db/context.ts';
import { deleteFact, findFact, lockFact, putFact } from '#server/platform/db/facts.ts';

const KEY = 'how_to_pay';
/** Code points. */
export const HOW_TO_PAY_CHARS_MAX = 4000;

/** How a customer pays, in the operator's words: plain text of several lines, or empty. */
export async function howToPay({ database: { db } }: InstallationScope): Promise<string> {
  return (await findFact(db, { key: KEY })) ?? '';
}

/**
 * Replaces the text; an empty one removes it. Invisible characters are removed, because they could reverse an account
 * number. Throws `invalid_parameters` if it is too long.
 */
export async function setHowToPay(
  { database, actor }: ActorContext,
  input: { text: string },
): Promise<string> {
  const text = cleanText(input.text);
  if ([...text].length > HOW_TO_PAY_CHARS_MAX)
    throw new AppError('invalid_parameters', `The text may have at most ${HOW_TO_PAY_CHARS_MAX} characters.`);
  return database.db.transaction(async (tx) => {
    if (((await lockFact(tx, { key: KEY })) ?? '') === text) return text;
    if (text === '') await deleteFact(tx, { key: KEY });
    else await putFact(tx, { key: KEY, value: text });
    const detail = { characters: [...text].length };
    await audit(tx, { actor, accountId: null, action: 'installation.how_to_pay', target: null, detail });
    return text;
  });
}

function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/(?![\n\t])\p{Cc}|(?!\u200d)\p{Cf}/gu, '')
    .trim();
}
