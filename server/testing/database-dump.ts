import type { WithSql } from './sql.ts';

/** The content of a full dump: every row of every table as text, each line starting with its table's name. */
export async function dumpAsText({ sql }: Pick<WithSql, 'sql'>): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`;
  const lines: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`))
      lines.push(`${name} ${row}`);
  }
  return lines.join('\n');
}
