import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool, type Pool } from '#server/platform/db/pool.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { requireSessions } from './ready-database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, 2);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('PostgreSQL itself keeps sessions', async () => {
  await expect(requireSessions(database, 'Database x')).resolves.toBeUndefined();
});

test('a pooler that gives each transaction to any connection is refused, and the error says what to set', async () => {
  const reserve = async () => ({ db: pool.db, release() {} });
  await expect(requireSessions({ pool: { reserve }, bossPool: pool }, 'Database x')).rejects.toThrow(
    'Database x is a pooler that does not keep sessions. Set its pool mode to "session"',
  );
});
