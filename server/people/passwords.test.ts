import { describe, expect, test } from 'vitest';
import { LEAKED_PASSWORDS, LEAKED_WORDS } from './common-passwords.ts';
import { hashPassword, matchesPassword, PASSWORD_CHARS, requireGoodPassword } from './passwords.ts';

const EMAIL = 'margarete@example.org';

describe('a password', () => {
  test.each([
    'tinker gravel ounce moth',
    'xK4!vv0qz-Lm',
    '🐦🐟🐡🐢🐬🐳🐌🐛🦋🐞🐝🐜',
    'длинный пароль из слов',
    'password is a word in my sentence',
    '839201758264',
    'sunshine otter monkey',
    'jennifer and 2 moths',
  ])('is accepted: %s', (password) => {
    expect(() => requireGoodPassword(password, EMAIL)).not.toThrow();
  });

  test.each([
    'password1234',
    'P@ssw0rd1354',
    'Passwort!2025',
    'correct horse battery staple',
    'aaaaaaaaaaaa',
    'abcabcabcabcabc',
    'abcdefghijkl',
    'qwertyuiop12345',
    '123456789012',
    '987654321098',
    'margarete1234',
    'Margarete@Example.org',
    'wirebird-2025!',
    '1q2w3e4r5t6y',
    'Unbelievable',
    'unbelievable1!',
    'manchester united',
    'Jennifer-1985!',
    '(2026) Sunshine',
    'sunshine sunshine',
    'september2026',
  ])('is refused if it is easily guessed: %s', (password) => {
    expect(() => requireGoodPassword(password, EMAIL)).toThrow('easy to guess');
  });

  test('has 12 to 128 characters, counted as code points', () => {
    const emoji = '🐦🐟🐡🐢🐬🐳🐌🐛🦋🐞🐝';
    expect(() => requireGoodPassword(emoji, EMAIL)).toThrow('at least 12 characters');
    expect(() => requireGoodPassword(emoji, EMAIL)).toThrow(
      expect.objectContaining({ details: { field: 'password' } }),
    );
    expect(() => requireGoodPassword(`${emoji}🐜`, EMAIL)).not.toThrow();
    const long = Array.from({ length: 150 }, (_, i) => `moth ${i}`).join(' ');
    expect(() => requireGoodPassword(long.slice(0, PASSWORD_CHARS.max), EMAIL)).not.toThrow();
    expect(() => requireGoodPassword(long.slice(0, PASSWORD_CHARS.max + 1), EMAIL)).toThrow('at most 128');
  });

  test('is refused if it is one of the most common leaked passwords of its length, in any case', () => {
    expect(new Set(LEAKED_PASSWORDS).size).toBeGreaterThanOrEqual(3000);
    for (const password of LEAKED_PASSWORDS) {
      expect([...password].length, password).toBeGreaterThanOrEqual(PASSWORD_CHARS.min);
      for (const typed of [password, password.toUpperCase()])
        expect(() => requireGoodPassword(typed, EMAIL), typed).toThrow('easy to guess');
    }
  });

  test('is refused if it is a common word followed by digits', () => {
    for (const word of LEAKED_WORDS)
      expect(() => requireGoodPassword(`${word}84920175`, EMAIL), word).toThrow('easy to guess');
  });
});

describe('a stored password', () => {
  test('is argon2id with 19 MiB, two passes and one lane, and no two hashes are alike', async () => {
    const [one, two] = await Promise.all([
      hashPassword('tinker gravel', []),
      hashPassword('tinker gravel', []),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
  });

  test('matches only its own password, in any Unicode composition', async () => {
    const stored = await hashPassword('füchse im garten', []);
    expect(await matchesPassword(stored, 'fu\u0308chse im garten', [])).toBe(true);
    expect(await matchesPassword(stored, 'fuchse im garten', [])).toBe(false);
    expect(await matchesPassword(null, 'füchse im garten', [])).toBe(false);
  });

  test('is never matched by an input over the maximum length', async () => {
    for (const password of ['', 'x'.repeat(PASSWORD_CHARS.max + 1)])
      expect(
        await matchesPassword(await hashPassword(password, []), 'x'.repeat(PASSWORD_CHARS.max + 1), []),
      ).toBe(false);
  });
});
