import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';

/** The statements of this file are SQL: they read the catalog, and change the schema. */

/** What the tables do with each row that is written, and what recreates it. */
interface OfEachRow {
  tables: string[];
  drop: string[];
  create: string[];
}

/**
 * Lets `load` write the rows of all tables without triggers, foreign keys and secondary indexes, and recreates these
 * afterwards. So each index is built at once, and no row is counted again or announced: PostgreSQL holds all
 * announcements of a transaction in memory.
 */
export async function inBulk(db: Db, load: () => Promise<void>): Promise<void> {
  const { tables, drop, create } = await ofEachRow(db);
  for (const table of tables) await db.run(sql.raw(`alter table ${table} disable trigger user`));
  for (const statement of drop) await db.run(sql.raw(statement));
  await load();
  for (const statement of create) await db.run(sql.raw(statement));
  for (const table of tables) await db.run(sql.raw(`alter table ${table} enable trigger user`));
  // The statements that follow are planned for the rows that are there now.
  await db.run(sql`analyze`);
}

async function ofEachRow(db: Db): Promise<OfEachRow> {
  const tables = await db.run<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`);
  const keys = await db.run<{ drop: string; create: string }>(sql`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid, conname`);
  const indexes = await db.run<{ drop: string; create: string }>(sql`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
      and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
    order by i.indrelid, i.indexrelid`);
  return {
    tables: tables.map(({ name }) => name),
    drop: [...keys, ...indexes].map(({ drop }) => drop),
    // A foreign key needs the index of the table that it refers to.
    create: [...indexes, ...keys].map(({ create }) => create),
  };
}
