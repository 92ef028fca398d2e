import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { withTransitions } from '../../../scripts/message-transitions.ts';

const TEXT = fs.readFileSync(path.join(import.meta.dirname, '../../../drizzle/triggers.sql'), 'utf8');
const database = testDatabase();

/** The definition of every function and trigger of the product, by name. */
async function definitions(): Promise<Record<string, string>> {
  const rows = await database.sql<{ name: string; definition: string }[]>`
    select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition
    from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(t.oid) || ' ' || tgenabled::text
    from pg_trigger t join pg_class c on c.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal`;
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

test('triggers.sql makes exactly the functions and triggers of a migrated database, also where they exist', async () => {
  const { sql } = database;
  const migrated = await definitions();
  expect(Object.keys(migrated)).toContain('messages_status on messages');
  await sql.unsafe(TEXT);
  expect(await definitions()).toEqual(migrated);
  // Triggers are dropped with their functions.
  for (const name of Object.keys(migrated).filter((key) => key.endsWith(')')))
    await sql.unsafe(`drop function ${name} cascade`);
  expect(await definitions()).toEqual({});
  await sql.unsafe(TEXT);
  expect(await definitions()).toEqual(migrated);
});

test('the trigger has the transitions of the core (npm run db:transitions updates it)', () => {
  expect(withTransitions(TEXT)).toBe(TEXT);
});
