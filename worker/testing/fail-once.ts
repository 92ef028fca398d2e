import type { Sql } from '#server/testing/sql.ts';

interface Failing {
  /** How many such writes were tried: the first one failed. */
  tries(): Promise<number>;
  remove(): Promise<void>;
}

/** Lets the first write to which `when` applies fail, as if PostgreSQL restarted. One at a time for each database. */
export async function failOnce(
  sql: Sql,
  { table, write = 'update', when }: { table: string; write?: 'update' | 'insert or update'; when: string },
): Promise<Failing> {
  await sql.unsafe(`
    create sequence writes_tried;
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('writes_tried') = 1 then raise exception 'the database is being restarted'; end if;
      return new;
    end $$;
    create trigger fail_once before ${write} on ${table} for each row when (${when}) execute function fail_once()`);
  return {
    tries: async () => {
      const [row] = await sql<{ tries: number }[]>`
        select case when is_called then last_value::int else 0 end as tries from writes_tried`;
      return row?.tries ?? 0;
    },
    remove: async () => {
      await sql.unsafe('drop function fail_once cascade; drop sequence writes_tried');
    },
  };
}
