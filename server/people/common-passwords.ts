import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const listOf = (name: string) => fs.readFileSync(path.join(FOLDER, name), 'utf8').trim().split('\n');

/**
 * Passwords of 12 characters and more that were found in leaks, in lower case, the most frequent first, from the
 * ten million that Mark Burnett gave to the public domain (xato.net, 2015): every one found as often as the
 * 3,714th.
 */
export const LEAKED_PASSWORDS = listOf('leaked-passwords.txt');

/** The 2,000 most frequent words of 4 to 11 letters, which people use with digits after them. */
export const LEAKED_WORDS = listOf('leaked-words.txt');

/** Passwords that are rare in the leaks, which are mostly of English and Russian sites. Without spaces. */
const MORE = `
january february march april june july august september october november december
januar februar märz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter frühling sommer herbst
passwort meinpasswort geheimespasswort motdepasse monmotdepasse contrasena contraseña micontraseña senha
mypassword masterpassword thisismypassword secretpassword newpassword temppassword temporary
hallo schatz schatzi fussball fußball ichliebedich bonjour soleil teamo teamomucho familia estrella
helloworld letmeinplease changeme nevergiveup trustno correcthorsebatterystaple
iloveyouforever iloveyousomuch ilovemyself ilovejesuschrist jesuschrist jesusislord thankyoujesus godisgreat
grandmother volleyball manchesterunited liverpoolfc cristianoronaldo lionelmessi lordoftherings
harrypotter gameofthrones californication q1w2e3r4t5y6u7i8 1q2w3e4r5t6y7u8i
`;

const COMMON: ReadonlySet<string> = new Set([
  ...LEAKED_PASSWORDS,
  ...LEAKED_WORDS,
  ...MORE.trim().split(/\s+/),
]);

/**
 * Whether a password, in lower case, is a common one, also with digits and signs before or after it, with spaces,
 * or twice in a row: `Jennifer-1985!`, `sunshine sunshine`.
 */
export function isCommonPassword(plain: string): boolean {
  const joined = plain.replace(/\s+/gu, '');
  const word = joined.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const half = word.slice(0, word.length / 2);
  return COMMON.has(joined) || COMMON.has(word) || (half + half === word && COMMON.has(half));
}
