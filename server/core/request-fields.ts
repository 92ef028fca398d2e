import { z } from 'zod';
import { AppError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { parseMediaUrl } from './media-url.ts';
import { GROUP, PERSON, parseRecipient, recipientHint } from './recipient.ts';
import { isStorableTime } from './storable.ts';

/**
 * The fields of requests. Each error says what is wrong and what to send instead. Nothing is coerced, and empty or
 * only white space counts as missing.
 */

/** Longer than any number with separators, and any group id. */
const RECIPIENT_CHARS_MAX = 64;
/** Longer than any key. */
const TOKEN_CHARS_MAX = 200;

interface TextField {
  field: string;
  /** What to send if it is missing. */
  what: string;
  /** In Unicode code points. */
  charsMax: number;
}

export function requiredText({ field, what, charsMax }: TextField) {
  return z
    .string({ error: ({ input }) => notRequiredText(field, what, input) })
    .regex(/\S/u, { error: `${field} is missing. Send ${what}.`, abort: true })
    .max(charsMax, { error: ({ input }) => tooLong(field, charsMax, input) })
    .refine(isStorable, { error: unstorable(field) });
}

export function optionalText({ field, charsMax }: Omit<TextField, 'what'>) {
  return z
    .string({ error: ({ input }) => notOptionalText(field, input) })
    .max(charsMax, { error: ({ input }) => tooLong(field, charsMax, input) })
    .refine(isStorable, { error: unstorable(field) })
    .transform((text) => (/\S/u.test(text) ? text : undefined))
    .optional();
}

/** A number within bounds, both included. */
function requiredNumber(params: { field: string; min: number; max: number }) {
  const { field, min, max } = params;
  const want = `${field} must be a number from ${min} to ${max}`;
  const outside = { error: `${want}.` };
  return z
    .number({
      error: ({ input }) =>
        input === undefined
          ? `${field} is missing. Send a number from ${min} to ${max}.`
          : notNumber(want, input),
    })
    .min(min, outside)
    .max(max, outside)
    .pipe(z.number()); // trpc-openapi turns on coercion in every bare number that it finds
}

/** `to`, parsed into a `Recipient`. */
export function recipientField() {
  const what =
    'the recipient: a number in international format (digits only, country code first, no +) or a group id ending in @g.us';
  return given('to', what)
    .max(RECIPIENT_CHARS_MAX, { error: ({ input }) => recipientHint('to', String(input), true), abort: true })
    .transform((to, ctx) => {
      const recipient = parseRecipient(to);
      if (recipient) return recipient;
      ctx.addIssue({ code: 'custom', message: recipientHint('to', to, true), input: to });
      return z.NEVER;
    })
    .meta({
      type: 'string',
      maxLength: RECIPIENT_CHARS_MAX,
      pattern: `${PERSON.source}|${GROUP.source}`,
      description:
        'The recipient: a number in international format (digits only, country code first, no +), or a group id that ends in `@g.us`.',
    });
}

/** A phone number in international digits. */
function phoneField(field: string) {
  return given(field, 'a number in international format: digits only, country code first, no +')
    .max(RECIPIENT_CHARS_MAX, {
      error: ({ input }) => recipientHint(field, String(input), false),
      abort: true,
    })
    .refine((text) => PERSON.test(text), {
      error: ({ input }) => recipientHint(field, String(input), false),
    })
    .meta({
      pattern: PERSON.source,
      description: 'International format: digits only, country code first, no +.',
    });
}

/** `url`: the address of a media file. Only its form is checked here; the fetcher checks the rest. */
function mediaUrlField(what: string) {
  return given('url', `the http(s) address of ${what}`)
    .transform((text, ctx) => {
      const url = plainUrl(text);
      if (!(url instanceof AppError)) return url;
      ctx.addIssue({ code: 'custom', message: url.message, input: text });
      return z.NEVER;
    })
    .meta({
      format: 'uri',
      maxLength: LIMITS.mediaUrlBytes,
      description: `Public http(s) address of ${what}, fetched as soon as the message is accepted.`,
    });
}

/** `caption`: a text beneath an image or document. */
function captionField() {
  return optionalText({ field: 'caption', charsMax: LIMITS.captionChars }).meta({
    description: 'Caption shown below the file.',
  });
}

/** `filename`, without characters that a file name must not contain. */
function filenameField() {
  const field = 'filename';
  return requiredText({
    field,
    what: 'the file name that the recipient sees, such as offer.pdf',
    charsMax: LIMITS.filenameChars,
  })
    .transform(safeFilename)
    .refine((name) => name !== '', {
      error: 'filename has no character that a file name may contain. Send a name such as offer.pdf.',
    })
    .meta({
      type: 'string',
      maxLength: LIMITS.filenameChars,
      description: 'The file name that the recipient sees, such as offer.pdf.',
    });
}

/**
 * A file name that is safe to show: path separators become `_`, and control characters go, as do those that reverse the
 * reading direction (they can make `fdp.exe` look like `exe.pdf`). Joiners stay: Persian, Hindi and emoji need them. Empty
 * if nothing visible is left.
 */
export function safeFilename(name: string): string {
  if (/^[\s./\\\p{Cc}\p{Cf}]*$/u.test(name)) return '';
  return name
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .replace(/[/\\]/g, '_')
    .trim();
}

/** Longer than any order number that a shop uses. */
const REFERENCE_CHARS_MAX = 128;
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** `reference`: the caller's own ID for a message, such as an order number. Empty means none. */
export function referenceField(field = 'reference') {
  return z
    .string({ error: ({ input }) => notOptionalText(field, input) })
    .refine((text) => [...text].length <= REFERENCE_CHARS_MAX, {
      error: ({ input }) => tooLong(field, REFERENCE_CHARS_MAX, input),
      abort: true,
    })
    .refine((text) => PRINTABLE.test(text), {
      error: `${field} must contain printable characters only. Remove line breaks and control characters.`,
    })
    .transform((text) => text || undefined)
    .meta({
      type: 'string',
      maxLength: REFERENCE_CHARS_MAX,
      description:
        'Your own ID for the message, such as an order number. It is returned with the message and in its events, and you can filter lists by it.',
    })
    .optional();
}

/** Longer than any time with fractions and an offset. */
const TIME_CHARS_MAX = 64;

/** A time whose offset lost its plus sign, because it was not escaped in a URL. */
const PLUS_LOST = /T\S{1,40} \d\d:\d\d$/;

/** A time with its offset (RFC 3339), as text. */
export function timeField(field: string) {
  const wrong = `${field} must be a time with a UTC offset, such as 2026-03-01T08:00:00Z.`;
  const error = ({ input }: { input?: unknown }) =>
    PLUS_LOST.test(String(input)) ? `${wrong} A + in a URL means a space: write it as %2B.` : wrong;
  return z.iso
    .datetime({ offset: true, error })
    .max(TIME_CHARS_MAX, { error })
    .refine(isStorableTime, { error });
}

/** `token`: the key, if it is not in a header. It was read before; only its type is checked here. */
export function tokenField() {
  return z
    .string({ error: ({ input }) => notOptionalText('token', input) })
    .max(TOKEN_CHARS_MAX)
    .optional()
    .meta({ description: 'The API key, if no header contains it.' });
}

/** The builders of a message kind's fields. */
export const builders = {
  requiredText,
  optionalText,
  requiredNumber,
  phone: phoneField,
  mediaUrl: mediaUrlField,
  caption: captionField,
  filename: filenameField,
};

/** A required text of a given form. */
function given(field: string, what: string) {
  return z
    .string({ error: ({ input }) => notRequiredText(field, what, input) })
    .regex(/\S/u, { error: `${field} is missing. Send ${what}.`, abort: true });
}

/** The URL as it is stored and fetched, in ASCII. */
function plainUrl(text: string): string | AppError {
  try {
    return parseMediaUrl(text).href;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function notNumber(want: string, input: unknown): string {
  // JSON's 1e999.
  if (input === Infinity || input === -Infinity) return `${want}. The one sent is too large.`;
  return `${want}, not ${nameOf(input)}.${typeof input === 'string' ? ' Send it without quotes.' : ''}`;
}

function notRequiredText(field: string, what: string, input: unknown): string {
  if (input === undefined) return `${field} is missing. Send ${what}.`;
  return `${notText(field, input)}${input === null ? ` Send ${what}.` : ''}`;
}

const notOptionalText = (field: string, input: unknown): string =>
  `${notText(field, input)}${input === null ? ' Leave it out if there is none.' : ''}`;

function notText(field: string, input: unknown): string {
  const quotes = typeof input === 'number' || typeof input === 'boolean' ? ' Put it in quotes.' : '';
  return `${field} must be a string, not ${nameOf(input)}.${quotes}`;
}

function nameOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'object') return 'an object';
  return typeof input === 'boolean' ? 'true or false' : `a ${typeof input}`;
}

function tooLong(field: string, charsMax: number, input: unknown): string {
  const chars = [...String(input)].length;
  return `${field} must be at most ${charsMax} characters; it has ${chars}. Shorten it.`;
}

/** PostgreSQL stores neither U+0000 nor halves of surrogate pairs, and phones do not show them. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function unstorable(field: string): string {
  return `${field} contains U+0000 or half of a surrogate pair, which are not characters. Remove them.`;
}
