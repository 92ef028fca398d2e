import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');

/** Where a text that is not written here becomes SQL, and what it is. */
const UNCHANGED: Readonly<Record<string, string>> = {
  'server/operations/queries/bulk-load.ts':
    'the statements that make indexes and keys, as PostgreSQL writes them',
  'server/platform/db/listener.ts': '`listen`',
  'server/platform/db/migrate.ts': 'the migrations',
  'server/platform/db/pool.ts': '`begin`, `commit` and `rollback`',
  'server/platform/queue/boss.ts': 'the statements of pg-boss',
};
/** `sql.raw(text)`, `execute('text')`, a text for a driver's connection, and another driver. */
const TEXT =
  /\bsql\.raw\(|\.execute(?:<[^`]*>)?\(\s*['"`]|\.unsafe\(|\b(?:connections?|client)\??\.(?:run|query)\(|from 'postgres'/;

test('SQL is written in drizzle’s templates, so that no value becomes a part of its text', () => {
  const found = fs
    .globSync('{app,server,worker}/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .filter((file) => TEXT.test(fs.readFileSync(path.join(ROOT, file), 'utf8')));
  expect(found.sort()).toEqual(Object.keys(UNCHANGED));
});
