/**
 * SQL that gives a database a clock that can be moved, by `update clock_offset set by = …`: its own `clock_timestamp()` and
 * `now()` replace the system's, so every statement of the product, its defaults and pg-boss see the moved clock, whatever
 * their `search_path`. The server's own time-outs do not, as with a real jump: they are monotonic. Needs a superuser.
 */
export const MOVABLE_CLOCK = `
  create table clock_offset (by interval not null);
  insert into clock_offset values ('0');
  alter function pg_catalog.clock_timestamp() rename to true_clock_timestamp;
  alter function pg_catalog.now() rename to true_now;
  create function pg_catalog.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.true_clock_timestamp() + (select by from public.clock_offset)';
  create function pg_catalog.now() returns timestamptz language sql stable
    as 'select pg_catalog.true_now() + (select by from public.clock_offset)';
`;

/** The same for tables that exist already: their defaults hold the system's function. */
export const MOVABLE_DEFAULTS = `
  do $$ declare of record; begin
    for of in select c.table_name, c.column_name from information_schema.columns c
      where c.table_schema = 'public' and c.column_default = 'true_clock_timestamp()'
    loop
      execute format('alter table public.%I alter column %I set default clock_timestamp()', of.table_name, of.column_name);
    end loop;
  end $$;
`;
