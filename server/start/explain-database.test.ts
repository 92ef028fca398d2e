import os from 'node:os';
import { expect, test } from 'vitest';
import { explainDatabase } from './explain-database.ts';

const URL = 'postgres://wirebird:secret@127.0.0.1:54329/postgres';

test.each([
  ['57014', 'canceling statement due to statement timeout'],
  ['CONNECTION_CLOSED', 'Query read timeout'],
])('a statement that takes too long (%s) is not called an unreachable database', (code, message) => {
  const error = Object.assign(new Error(message), { code });
  for (const place of [null, os.tmpdir()])
    expect(explainDatabase(error, { url: URL, place })).toMatch(
      new RegExp(`did not finish a statement in time \\(${message}\\)\\. .+"cli doctor" says for what\\.$`),
    );
});

test.each(['CONNECTION_CLOSED', 'ECONNREFUSED', '57P02', '57P03'])(
  'an embedded database that ended with %s on a full disk is not called damaged',
  (code) => {
    const error = Object.assign(new Error('Connection terminated unexpectedly'), { code });
    // A file system without free space.
    expect(explainDatabase(error, { url: URL, place: '/proc' })).toBe(
      'The disk that holds /proc is full: make room there, then try again.',
    );
    expect(explainDatabase(error, { url: URL, place: os.tmpdir() })).toMatch(/ does not answer /);
  },
);
