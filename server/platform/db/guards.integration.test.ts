import { beforeAll, expect, test } from 'vitest';
import { canBecome, MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { storedLane } from '#server/schema/lane.ts';
import { createTestDatabase, testDatabase } from '#server/testing/database.ts';
import { findPendingMigrations, LOCK, migrate } from './migrate.ts';

const database = testDatabase();
beforeAll(async () => {
  await database.sql`insert into accounts (id, name) values ('acc_1', 'A')`;
  await database.sql`insert into numbers (id, account_id, network) values ('num_1', 'acc_1', 'sandbox')`;
});

test('the database allows exactly the core’s transitions', async () => {
  const allowed: string[] = [];
  for (const from of MESSAGE_STATUSES) {
    for (const to of MESSAGE_STATUSES) {
      if (from === to) continue;
      const id = `msg_${from}_${to}`;
      await database.sql`
        insert into messages (id, account_id, number_id, type, recipient, status, lane, deadline_at, media_status)
        values (${id}, 'acc_1', 'num_1', 'text', '491700000001@c.us', ${from}, ${storedLane('sync')}, now(), 'none')`;
      const changed = await database.sql`update messages set status = ${to} where id = ${id}`.then(
        () => true,
        (error: Error) => {
          expect(error.message).toContain(`cannot go from ${from} to ${to}`);
          return false;
        },
      );
      if (changed) allowed.push(`${from} → ${to}`);
    }
  }
  const expected = MESSAGE_STATUSES.flatMap((from) =>
    MESSAGE_STATUSES.filter((to) => canBecome(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(allowed).toEqual(expected);
});

test('the audit log cannot be changed or deleted', async () => {
  await database.sql`insert into audit_log (action) values ('key.create')`;
  await expect(database.sql`update audit_log set action = 'nothing'`.then(() => {})).rejects.toThrow(
    'append-only',
  );
  await expect(database.sql`delete from audit_log`.then(() => {})).rejects.toThrow('append-only');
});

test('only the entries of a deleted account lose their texts, and nothing else of them changes', async () => {
  const { sql } = database;
  await sql`insert into accounts (id, name, deleted_at) values ('acc_gone', 'Gone', now())`;
  for (const accountId of ['acc_1', 'acc_gone'])
    await sql`insert into audit_log (account_id, action, detail) values (${accountId}, 'a', '{"url": "u", "events": 2}')`;
  const change = (set: string, accountId: string) =>
    sql.unsafe(`update audit_log set ${set} where account_id = '${accountId}'`).then(() => 'changed', String);
  const erase = 'detail = audit_detail_without_texts(detail)';
  expect(await change(erase, 'acc_1')).toContain('append-only');
  expect(await change(`${erase}, action = 'b'`, 'acc_gone')).toContain('append-only');
  expect(await change(`detail = '{"events": 3}'`, 'acc_gone')).toContain('append-only');
  expect(await change(erase, 'acc_gone')).toBe('changed');
  expect(await sql`select detail from audit_log where account_id = 'acc_gone'`).toEqual([
    { detail: { events: 2 } },
  ]);
});

test('processes that start together on an empty database migrate it once', async () => {
  const fresh = await createTestDatabase({ empty: true });
  try {
    expect(await findPendingMigrations(fresh)).toBeGreaterThan(0);
    await Promise.all([1, 2, 3].map(() => migrate(fresh.url)));
    expect(await findPendingMigrations(fresh)).toBe(0);
  } finally {
    await fresh.drop();
  }
});

test('migrations make the tables where all statements find them, whatever search path the database has', async () => {
  const fresh = await createTestDatabase({ empty: true });
  try {
    const [own] = await fresh.sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
    await fresh.sql.unsafe(
      `create schema another; alter database ${own?.name} set search_path = another, public`,
    );
    await migrate(fresh.url);
    const tables = await fresh.sql<{ schema: string }[]>`
      select distinct schemaname as schema from pg_tables where tablename in ('accounts', 'messages')`;
    expect(tables).toEqual([{ schema: 'public' }]);
  } finally {
    await fresh.drop();
  }
});

test('migrations take as long as they need, whatever limit the database has', async () => {
  const fresh = await createTestDatabase({ empty: true });
  try {
    const [own] = await fresh.sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      await fresh.sql.unsafe(`alter database ${own?.name} set ${limit} = '100ms'`);
    // The migration waits for this lock for longer than the limits.
    const held = Promise.withResolvers<void>();
    const other = fresh.sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`;
      held.resolve();
      await sql`select pg_sleep(0.5)`;
    });
    await held.promise;
    await Promise.all([other, migrate(fresh.url)]);
    expect(await findPendingMigrations(fresh)).toBe(0);
  } finally {
    await fresh.drop();
  }
});
