import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '#server/core/errors.ts';
import { restPlace } from '#server/platform/answer-in-turns.ts';
import { isCommonPassword } from './common-passwords.ts';
import { PasswordTurns, type Turn } from './password-turns.ts';

/** Length of a password, in Unicode code points. */
export const PASSWORD_CHARS = { min: 12, max: 128 } as const;

/** argon2id as in OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Half the processors, at most two, so that a burst of sign-ins leaves some for messages. */
export const PASSWORDS_AT_ONCE = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
const turns = new PasswordTurns(PASSWORDS_AT_ONCE);

/** Throws `invalid_parameters` with what to change when a password is too short, too long or easily guessed. */
export function requireGoodPassword(password: string, email: string): void {
  const chars = [...password].length;
  if (chars < PASSWORD_CHARS.min)
    throw refused(`The password must have at least ${PASSWORD_CHARS.min} characters.`);
  if (chars > PASSWORD_CHARS.max)
    throw refused(`The password must have at most ${PASSWORD_CHARS.max} characters.`);
  if (isEasilyGuessed(password, email))
    throw refused('This password is easy to guess. Choose another, such as a few words.');
}

/** The string to store for a password. Throws `rate_limited` if one of these turns has too many. */
export function hashPassword(password: string, of: readonly Turn[]): Promise<string> {
  return inTurn(of, () => hash(canonical(password), ARGON2));
}

/**
 * Whether a password matches a stored hash. Without a hash the answer is false after the same work, so that the
 * time does not reveal whether a user exists. Throws `rate_limited` as {@link hashPassword} does.
 */
export async function matchesPassword(
  stored: string | null,
  password: string,
  of: readonly Turn[],
): Promise<boolean> {
  // An attacker could send megabytes to make each attempt expensive.
  const tooLong = [...password].length > PASSWORD_CHARS.max;
  if (stored !== null && !tooLong) return inTurn(of, () => verify(stored, canonical(password)));
  await hashPassword(tooLong ? '' : password, of);
  return false;
}

/** Meanwhile other pages are answered: passwords wait in a line of their own, and are hashed in threads. */
function inTurn<T>(of: readonly Turn[], work: () => Promise<T>): Promise<T> {
  restPlace();
  return turns.run(of, work);
}

/** The same letters typed on different systems are the same bytes. */
function canonical(password: string): string {
  return password.normalize('NFKC');
}

function refused(sentence: string): AppError {
  return new AppError('invalid_parameters', sentence, { field: 'password' });
}

function isEasilyGuessed(password: string, email: string): boolean {
  const plain = canonical(password).toLowerCase();
  if (isCommonPassword(plain)) return true;
  if (new Set(plain).size < 5) return true;
  if (isRepetition(plain) || isRun(plain)) return true;
  // Without everything that an attacker knows, the rest must still be a good password.
  const local = email.toLowerCase().split('@')[0] ?? '';
  const known = [email.toLowerCase(), local, ...KNOWN_WORDS].filter((word) => word.length >= 4);
  const rest = known.reduce((text, word) => text.replace(inAnySpelling(word), ''), plain);
  return rest.length < plain.length && rest.replace(/[^\p{L}]+/gu, '').length < 4;
}

const KNOWN_WORDS = [
  'wirebird',
  'whatsapp',
  'password',
  'passwort',
  'motdepasse',
  'contrasena',
  'administrator',
  'welcome',
  'willkommen',
  'qwertyuiop',
  'qwerty',
  'qwertz',
  'azerty',
  'asdfgh',
  'iloveyou',
  'letmein',
  'changeme',
  'abcdef',
  'admin',
  'secret',
  'geheim',
  'dragon',
  'monkey',
  'football',
  'sunshine',
  'princess',
  'master',
  'login',
];

const STAND_INS: Record<string, string> = { a: '[a@4]', e: '[e3]', i: '[i1!]', o: '[o0]', s: '[s$5]' };

/** Every occurrence of a word, also with the usual substitutes for its letters. */
function inAnySpelling(word: string): RegExp {
  const letters = [...word].map((letter) => STAND_INS[letter] ?? letter.replace(/[^\p{L}\d]/u, '\\$&'));
  return new RegExp(letters.join(''), 'g');
}

/** One block of up to a third of the length, repeated: `abcabcabcabc`. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= text.length / 3; size++) {
    const block = text.slice(0, size);
    if (block.repeat(Math.ceil(text.length / size)).startsWith(text)) return true;
  }
  return false;
}

const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
];
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

/** Made of runs along the alphabet, the digits or a keyboard, four or more at a time: `qwertyuiop123456`. */
function isRun(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    let size = 0;
    for (const run of RUNS)
      while (at + size < text.length && run.includes(text.slice(at, at + size + 1))) size++;
    if (size < Math.min(4, text.length - at)) return false;
    at += size;
  }
  return true;
}
