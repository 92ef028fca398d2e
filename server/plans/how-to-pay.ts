import { z } from 'zod';
import { audit } from '#server/accounts/audit.ts';
import { cleanLine, HIDING } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import type { ActorContext, InstallationScope } from '#server/platform/db/context.ts';
import { deleteFact, findFact, lockFact, putFact } from '#server/platform/db/facts.ts';

const TEXT_KEY = 'how_to_pay';
const CONTACT_KEY = 'payment_contact';
/** Code points. */
export const HOW_TO_PAY_CHARS_MAX = 4000;

/** How a customer pays, and whom they can ask, in the operator's words. Fields are empty until they are set. */
export interface HowToPay {
  /** Plain text of several lines. */
  text: string;
  contactName: string;
  /** An email address or a phone number. */
  contactAddress: string;
}

const Contact = z.object({ contactName: z.string(), contactAddress: z.string() });
const NO_CONTACT = { contactName: '', contactAddress: '' };

export async function howToPay({ database: { db } }: InstallationScope): Promise<HowToPay> {
  const text = await findFact(db, { key: TEXT_KEY });
  return { text: text ?? '', ...contactIn(await findFact(db, { key: CONTACT_KEY })) };
}

/**
 * Replaces text and contact; empty ones are removed. Invisible characters are removed, because they could reverse
 * an account number. Throws `invalid_parameters` if one is too long, or if the contact has a name without an
 * address; `already_exists` if they are no longer what was `seen`, so that no old account number returns.
 */
export async function setHowToPay(
  { database, actor }: ActorContext,
  { seen, ...input }: HowToPay & { seen?: HowToPay | undefined },
): Promise<HowToPay> {
  const text = cleanText(input.text);
  if ([...text].length > HOW_TO_PAY_CHARS_MAX)
    throw new AppError('invalid_parameters', `The text may have at most ${HOW_TO_PAY_CHARS_MAX} characters.`);
  const contactName = cleanLine('The name', input.contactName);
  const contactAddress = cleanLine('The address', input.contactAddress);
  if (contactName !== '' && contactAddress === '')
    throw new AppError('invalid_parameters', 'Enter an email address or a phone number for the contact.');
  const next = { text, contactName, contactAddress };
  return database.db.transaction(async (tx) => {
    const before = {
      text: (await lockFact(tx, { key: TEXT_KEY })) ?? '',
      ...contactIn(await lockFact(tx, { key: CONTACT_KEY })),
    };
    if (JSON.stringify(before) === JSON.stringify(next)) return next;
    if (seen && (Object.keys(before) as (keyof HowToPay)[]).some((field) => before[field] !== seen[field]))
      throw new AppError(
        'already_exists',
        'Another administrator has changed this since your page showed it. Reload the page, then make your change again.',
      );
    await put(TEXT_KEY, text);
    await put(CONTACT_KEY, contactAddress === '' ? '' : JSON.stringify({ contactName, contactAddress }));
    const detail = { characters: [...text].length, contact: contactAddress !== '' };
    await audit(tx, { actor, accountId: null, action: 'installation.how_to_pay', target: null, detail });
    return next;

    function put(key: string, value: string): Promise<void> {
      return value === '' ? deleteFact(tx, { key }) : putFact(tx, { key, value });
    }
  });
}

function contactIn(fact: string | null): Pick<HowToPay, 'contactName' | 'contactAddress'> {
  return fact === null ? NO_CONTACT : Contact.parse(JSON.parse(fact));
}

function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(HIDING, '')
    .trim();
}
