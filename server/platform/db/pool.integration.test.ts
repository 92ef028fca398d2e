import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { type Sql, sqlOver } from '#server/testing/sql.ts';
import { backendOf, coded } from './connection.ts';
import type { Db } from './drizzle.ts';
import { LISTENER_NAME } from './listener.ts';
import { openPool } from './pool.ts';

const EVENTUALLY_MS = 30_000;

const database = testDatabase();
beforeAll(async () => {
  await database.sql`create table notes (id int primary key)`;
});

const pidOf = async (sql: Sql) => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
};
const terminate = (pid: number) => database.sql`select pg_terminate_backend(${pid})`;
const ids = async () =>
  (await database.sql<{ id: number }[]>`select id from notes order by id`).map(({ id }) => id);

test('losing the connection during a transaction’s statement rejects the transaction and commits nothing', async () => {
  const work = database.sql.begin(async (sql) => {
    await sql`insert into notes values (1)`;
    const pid = await pidOf(sql);
    const sleeping = sql`select pg_sleep(35)`.catch((error: unknown) => error);
    await terminate(pid);
    throw await sleeping;
  });
  await expect(work).rejects.toMatchObject({ code: '57P01' });
  expect(await ids()).toEqual([]);
});

test('a transaction that loses its connection between two statements runs no further statement on another', async () => {
  const work = database.sql.begin(async (sql) => {
    await terminate(await pidOf(sql));
    await sql`insert into notes values (2)`;
  });
  await expect(work).rejects.toThrow();
  await Promise.all(Array.from({ length: 20 }, () => database.sql`select 1`));
  expect(await ids()).toEqual([]);
});

test('a day has 24 hours, also where the server’s time zone changes its clocks', async () => {
  const [own] = await database.sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
  await database.sql.unsafe(`alter database ${own?.name} set timezone = 'Europe/Berlin'`);
  const pool = openPool(database.url, 1);
  const [row] = await sqlOver(pool.db)<{ before: Date }[]>`
    select '2027-03-28 10:00Z'::timestamptz - interval '1 day' as before`;
  await pool.end();
  expect(row?.before).toEqual(new Date('2027-03-27T10:00:00Z'));
});

test('no connection uses a startup parameter that PgBouncer refuses', async () => {
  const packets: Buffer[] = [];
  const server = createServer((socket) => {
    socket.once('data', (packet) => {
      packets.push(packet);
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = openPool(`postgres://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/name`, 1);
  await expect(pool.db.execute(sql`select 1`)).rejects.toThrow();
  await expect(pool.beginLong((tx) => tx.execute(sql`select 1`))).rejects.toThrow();
  await expect(pool.listen('channel', () => {})).rejects.toThrow();
  await pool.end();
  server.close();
  const names = packets.map((packet) =>
    // After the length and the protocol's version: names and values, each ended by a zero byte.
    packet
      .subarray(8)
      .toString()
      .split('\0')
      .filter((_, at) => at % 2 === 0)
      .filter(Boolean)
      .sort(),
  );
  const accepted = ['application_name', 'client_encoding', 'database', 'user'];
  expect(names).toEqual([accepted, accepted, accepted]);
});

test.each(['allow', 'prefer', 'require', 'verify-full'])(
  'with sslmode=%s, nothing is sent unencrypted to a server without TLS',
  async (mode) => {
    const packets: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('data', (packet) => {
        packets.push(packet);
        // There is no TLS.
        socket.write('N');
      });
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pool = openPool(`postgres://user:secret@127.0.0.1:${port}/name?sslmode=${mode}`, 1);
    await expect(sqlOver(pool.db)`select 1`).rejects.toThrow('does not support SSL');
    await pool.end();
    server.close();
    // Only the request for TLS.
    expect(packets.map((packet) => packet.toString('hex'))).toEqual(['0000000804d2162f']);
  },
);

test('a long transaction has no time limits, and other statements have', async () => {
  const limits = async (db: Db) =>
    (
      await sqlOver(db)<{ statement: string; idle: string }[]>`
        select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`
    )[0];
  expect(await limits(database.db)).toEqual({ statement: '10s', idle: '10s' });
  expect(await database.pool.beginLong(limits)).toEqual({ statement: '0', idle: '0' });
});

test.each([
  ['synchronous_commit', 'off', 'on'],
  ['default_transaction_isolation', 'repeatable read', 'read committed'],
  ['lock_timeout', '1s', '0'],
  ['DateStyle', 'SQL', 'ISO'],
  ['search_path', 'another', 'public'],
  ['jit', 'on', 'off'],
])(
  'what the statements rely on holds, whatever default the database has: %s = %s',
  async (name, other, used) => {
    const [own] = await database.sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
    await database.sql.unsafe(`alter database ${own?.name} set ${name} = '${other}'`);
    const pool = openPool(`${database.url}?options=-c%20work_mem%3D5MB`, 1);
    const rows = await sqlOver(pool.db).unsafe(
      `select current_setting('${name}') as used, current_setting('work_mem') as kept`,
    );
    await pool.end();
    await database.sql.unsafe(`alter database ${own?.name} reset ${name}`);
    expect(rows).toEqual([{ used: expect.stringMatching(`^${used}\\b`), kept: '5MB' }]);
  },
);

test('no statement runs on a connection whose settings failed', async () => {
  const pool = openPool(database.url, 1, { synchronous_commit: "'perhaps'" });
  for (let tries = 0; tries < 2; tries++)
    await expect(sqlOver(pool.db)`insert into notes values (9)`).rejects.toMatchObject({ code: '22023' });
  expect(pool.load()).toEqual({ total: 0, idle: 0, waiting: 0 });
  await pool.end();
  expect(await ids()).not.toContain(9);
});

test('a statement has 10 s, and one of a long transaction as long as it needs, whatever the database’s default', async () => {
  const [own] = await database.sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
  await database.sql.unsafe(`alter database ${own?.name} set statement_timeout = '100ms'`);
  const pool = openPool(database.url, 1);
  const limit = (db: Db) => sqlOver(db)<{ ms: string }[]>`select current_setting('statement_timeout') as ms`;
  expect(await limit(pool.db)).toEqual([{ ms: '10s' }]);
  expect(await pool.beginLong(limit)).toEqual([{ ms: '0' }]);
  await pool.end();
  await database.sql.unsafe(`alter database ${own?.name} reset statement_timeout`);
});

test('a transaction that fails or hides a failed statement commits nothing', async () => {
  const failing = database.sql.begin(async (sql) => {
    await sql`insert into notes values (3)`;
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const hiding = database.sql.begin(async (sql) => {
    await sql`insert into notes values (3)`;
    await sql`insert into notes values (3)`.catch(() => {});
  });
  await expect(hiding).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([]);
});

test('a pipelined commit returns rows before it is committed, and the rows exist once it is', async () => {
  const inserted = await database.pool.pipelinedCommit(
    (tx) => sqlOver(tx)<{ id: number }[]>`insert into notes values (4) returning id`,
  );
  expect(inserted.rows).toEqual([{ id: 4 }]);
  await inserted.committed;
  expect(await ids()).toEqual([4]);
  await database.sql`delete from notes`;
});

test('a statement that fails in a pipelined commit changes nothing, and its connection stays usable', async () => {
  await database.sql`insert into notes values (5)`;
  const failing = database.pool.pipelinedCommit((tx) => sqlOver(tx)`insert into notes values (6), (5)`);
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([5]);
  await database.sql`delete from notes`;
});

test('a pipelined commit that loses its connection names that connection’s process', async () => {
  const lost = await database.pool
    .pipelinedCommit(
      (tx) => sqlOver(tx)`insert into notes values (7) returning pg_terminate_backend(pg_backend_pid())`,
    )
    .then(({ committed }) => committed)
    .catch((error: unknown) => error);
  expect(backendOf(lost)).toEqual({ pid: expect.any(Number), startedAt: expect.stringMatching(/^\d{4}-/) });
  expect(await ids()).toEqual([]);
});

test('a statement that a transaction sends without awaiting it is committed, or fails the transaction', async () => {
  await database.sql.begin(async (sql) => {
    for (const id of [8, 9]) sql`insert into notes values (${id})`.catch(() => {});
  });
  expect(await ids()).toEqual([8, 9]);
  const failing = database.sql.begin(async (sql) => {
    for (const id of [10, 9]) sql`insert into notes values (${id})`.catch(() => {});
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([8, 9]);
  await database.sql`delete from notes`;
});

test('losing the connection during a single statement rejects it, and the process keeps running', async () => {
  const sleeping = database.sql`select pg_backend_pid(), pg_sleep(35)`.catch((error: unknown) => error);
  await vi.waitFor(async () => {
    const ended = await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(35)%' and state = 'active'`;
    expect(ended).toHaveLength(1);
  }, EVENTUALLY_MS);
  expect(await sleeping).toMatchObject({ code: '57P01' });
});

test('after losing all connections at once, the next statements use new ones', async () => {
  await Promise.all(Array.from({ length: 10 }, () => database.sql`select pg_sleep(0.05)`));
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await vi.waitFor(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => database.sql`select 1 as one`));
    expect(answers.every(([row]) => row.one === 1)).toBe(true);
  }, EVENTUALLY_MS);
});

test('listening resumes after its connection is lost, and reports that notifications may be missing', async () => {
  const heard: string[] = [];
  let began = 0;
  const { unlisten } = await database.pool.listen(
    'notes',
    (payload) => heard.push(payload),
    () => {
      began += 1;
    },
  );
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${LISTENER_NAME}`;
  await vi.waitFor(() => expect(began).toBe(2), EVENTUALLY_MS);
  await database.sql`select pg_notify('notes', 'again')`;
  await vi.waitFor(() => expect(heard).toEqual(['again']), EVENTUALLY_MS);
  await unlisten();
});

/** New sessions of the database are read-only until the returned function is called; sessions that exist do not change. */
async function makeReadOnly(): Promise<() => Promise<void>> {
  const [own] = await database.sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
  await database.sql.unsafe(`alter database ${own?.name} set default_transaction_read_only = on`);
  return async () =>
    void (await database.sql.unsafe(`alter database ${own?.name} reset default_transaction_read_only`));
}

test('after one refused write, no connection to a read-only server is used again', async () => {
  const makeWritable = await makeReadOnly();
  const pool = openPool(database.url, 3);
  try {
    await Promise.all([1, 2, 3].map(() => pool.db.execute(sql`select pg_sleep(0.05)`)));
    await makeWritable();
    const write = () =>
      sqlOver(pool.db).begin((own) => own`insert into notes values (14)`.then(() => 'written'));
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    expect(await write()).toBe('written');
    expect(pool.load().total).toBe(1);
  } finally {
    await pool.end();
    await database.sql`delete from notes`;
  }
});

test('a standby that cannot read an unlogged table counts as read-only', () => {
  const refused = (more: object) =>
    Object.assign(new pg.DatabaseError('x', 0, 'error'), { code: '0A000', ...more });
  expect(coded(refused({ routine: 'get_relation_info' }))).toMatchObject({ code: '25006' });
  expect(coded(refused({ routine: 'RevalidateCachedQuery' }))).toMatchObject({ code: '0A000' });
});

test('listening leaves a server that has become read-only', async () => {
  const makeWritable = await makeReadOnly();
  const pool = openPool(database.url, 1);
  try {
    let began = 0;
    await pool.listen(
      'moved',
      () => {},
      () => {
        began += 1;
      },
    );
    await makeWritable();
    await vi.waitFor(() => expect(began).toBe(2), EVENTUALLY_MS);
  } finally {
    await pool.end();
  }
});

test('while a server accepts connections and refuses to listen, no connection is left open', async () => {
  const { hostname, port } = new URL(database.url);
  let refused = 0;
  let refusing = false;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    client.on('data', (bytes) => {
      const isListen = refusing && bytes.includes('listen "');
      if (isListen) refused += 1;
      // Not a statement: the server answers with an error, as a standby does.
      server.write(isListen ? bytes.toString('latin1').replace('listen "', 'lesson "') : bytes, 'latin1');
    });
    client.on('close', () => server.destroy());
    server.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = Object.assign(new URL(database.url), {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  });
  const pool = openPool(url.href, 1);
  const listening = () => database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = ${LISTENER_NAME}`;
  try {
    let began = 0;
    await pool.listen(
      'standby',
      () => {},
      () => {
        began += 1;
      },
    );
    refusing = true;
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = ${LISTENER_NAME}`;
    await vi.waitFor(() => expect(refused).toBeGreaterThan(2), EVENTUALLY_MS);
    refusing = false;
    await vi.waitFor(() => expect(began).toBe(2), EVENTUALLY_MS);
    await vi.waitFor(async () => expect(await listening()).toHaveLength(1), EVENTUALLY_MS);
  } finally {
    await pool.end();
    proxy.close();
  }
});

test('times are read as Dates and days as text, in any time zone of the process', async () => {
  const [row] =
    await database.sql`select timestamptz '2026-01-02 03:04:05.678Z' as time, date '2026-01-02' as day`;
  expect(row).toEqual({ time: new Date('2026-01-02T03:04:05.678Z'), day: '2026-01-02' });
});

test('a builder’s transaction commits as a whole, and a hidden failure makes it fail', async () => {
  const { db } = database;
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values (11)`);
    await tx.transaction(async (inner) => inner.execute(sql`insert into notes values (11)`)).catch(() => {});
    await tx.execute(sql`insert into notes values (12)`);
  });
  expect(await ids()).toEqual([11, 12]);
  const hiding = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values (13)`);
    await tx.execute(sql`insert into notes values (11)`).catch(() => {});
  });
  await expect(hiding).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([11, 12]);
  await database.sql`delete from notes`;
});

test('the builder prepares its statements, and reads times, days, counts and JSON like the template', async () => {
  const query = sql`
    select timestamptz '2026-01-02 03:04:05.678Z' as time, date '2026-01-02' as day, count(*) as count,
      '{"a":[1]}'::jsonb as json, array[1, 2] as list where ${true}`;
  const { rows, names } = await database.db.transaction(async (tx) => ({
    rows: (await tx.execute(query)).rows,
    names: (await tx.execute(sql`select from pg_prepared_statements where statement like '%array[1, 2]%'`))
      .rows,
  }));
  const byTemplate = await database.sql`
    select timestamptz '2026-01-02 03:04:05.678Z' as time, date '2026-01-02' as day, count(*) as count,
      '{"a":[1]}'::jsonb as json, array[1, 2] as list where ${true}`;
  expect(rows).toEqual([
    {
      time: new Date('2026-01-02T03:04:05.678Z'),
      day: '2026-01-02',
      count: '1',
      json: { a: [1] },
      list: [1, 2],
    },
  ]);
  expect(byTemplate).toEqual(rows);
  expect(names).toHaveLength(1);
});

test('prepared statements are counted as the server has them, and no longer after their connection is lost', async () => {
  const pool = openPool(database.url, 1);
  const own = sqlOver(pool.db);
  try {
    const onServer = async () => {
      const [row] = await own<{ n: number }[]>`select count(*)::int as n from pg_prepared_statements`;
      return row?.n;
    };
    expect(pool.prepared()).toBe(0);
    // Each text is prepared once; one without values is not prepared.
    for (const id of [1, 2]) await own`select id from notes where id = ${id}`;
    await own`select id from notes where id > ${1}`;
    await own`select no_such_column from notes where id = ${1}`.catch(() => {});
    expect(pool.prepared()).toBe(2);
    expect(await onServer()).toBe(2);
    await terminate(await pidOf(own));
    await vi.waitFor(() => expect(pool.prepared()).toBe(0), EVENTUALLY_MS);
  } finally {
    await pool.end();
  }
});
