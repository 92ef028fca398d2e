import pg from 'pg';
import { type NoRoom, noRoomOf } from '#server/core/sqlstate.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { Listener } from './listener.ts';
import { type Run, type Sql, type Statement, sqlOver } from './sql.ts';
import { parserOf } from './types.ts';

/** The time after which the server gives a statement up, and after which we no longer believe in the line. */
const STATEMENT_MS = 10_000;
const SILENCE_MS = 11_000;
const CONNECT_MS = 10_000;
/** A caller that waits longer for one of the pool's connections comes again later rather than wait on. */
const TURN_MS = 5_000;
/** That there was no room is remembered this long: the next message will find none either. */
const NO_ROOM_MS = 30_000;
/** The rows of a statement whose transaction is still committing. */
export interface PipelinedCommit<Rows> {
  rows: Rows;
  /** Rejects when it is not certain that the transaction was committed. */
  committed: Promise<void>;
}

/** A pool of connections. Statements that are given to one without awaiting the last are sent in one flight. */
export interface Pool extends Sql {
  /**
   * Runs one statement in a transaction of its own and resolves with its rows while that is still committing:
   * for what can be prepared meanwhile. Nothing leaves the house before `committed` has resolved. Whichever of
   * them rejects names the connection: see {@link backendOf}.
   */
  ahead<Rows extends readonly unknown[]>(
    write: (sql: Sql) => Statement<Rows>,
  ): Promise<PipelinedCommit<Rows>>;
  /** One connection for oneself, until released; it is closed then, unless `reusable`. */
  reserve(): Promise<Sql & { release(options?: { reusable: boolean }): void }>;
  /** `onListen` is called each time that listening begins: first, and after a connection was lost. */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  /** What the server had no room for within the last 30 s; null when all went well. */
  noRoom(): NoRoom | null;
  /** How many connections there are, how many of them nobody uses, and who waits for one. */
  load(): { total: number; idle: number; waiting: number };
  end(): Promise<void>;
}

/** Opens a pool of at most `max` connections. Nothing is connected before the first statement. */
export function openPool(url: string, max: number, turnMs = TURN_MS): Pool {
  const config: pg.PoolConfig = {
    ...withSsl(url),
    max,
    // An idle number's next message shall not wait for a connection.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'wirebird',
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    // The server answers every statement in time; a line on which it does not is half-open.
    query_timeout: SILENCE_MS,
    pipeline: true,
    types: { getTypeParser: parserOf },
  };
  const pool: TurnedPool = Object.assign(new pg.Pool(config), {
    turns: new ConnectionSlots(max, turnMs),
    noRoom: { of: null, atMs: Number.NEGATIVE_INFINITY },
  });
  // The user of a connection that is lost gets the error of its own query; nobody else needs it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const listener = new Listener(config);

  const sql = sqlOver(async (query) => {
    const client = await connect(pool);
    return runOn(pool, client, query).then(
      (result) => {
        client.release();
        return result;
      },
      (error) => {
        client.release(isOfLine(error));
        throw error;
      },
    );
  });
  return Object.assign(sql, {
    begin: <T>(work: (sql: Sql) => Promise<T>) => transaction(pool, work),
    ahead: <Rows extends readonly unknown[]>(write: (sql: Sql) => Statement<Rows>) => ahead(pool, write),
    async reserve() {
      const client = await connect(pool);
      return Object.assign(
        sqlOver((query) => runOn(pool, client, query)),
        { release: ({ reusable } = { reusable: false }) => client.release(!reusable) },
      );
    },
    listen: (channel: string, onNotification: (payload: string) => void, onListen?: () => void) =>
      listener.listen(channel, onNotification, onListen),
    noRoom: () => (performance.now() - pool.noRoom.atMs < NO_ROOM_MS ? pool.noRoom.of : null),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.turns.waiting }),
    async end() {
      await Promise.all([listener.stop(), pool.end()]);
    },
  });
}

async function transaction<T>(pool: TurnedPool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  let lost = false;
  const onError = () => {
    lost = true;
  };
  client.on('error', onError);
  const failures: unknown[] = [];
  const run: Run = (query) => {
    const running = runOn(pool, client, query);
    running.catch((error: unknown) => failures.push(error));
    return running;
  };
  try {
    // In one flight with the first statement; where it fails, so does that.
    const begun = run({ text: 'begin' });
    const result = await work(sqlOver(run));
    const commit = run({ text: 'commit' });
    await begun;
    requireCommitted(await commit, failures);
    return result;
  } catch (error) {
    lost ||= isOfLine(error);
    if (!lost) await runOn(pool, client, { text: 'rollback' }).catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}

async function ahead<Rows extends readonly unknown[]>(
  pool: TurnedPool,
  write: (sql: Sql) => Statement<Rows>,
): Promise<PipelinedCommit<Rows>> {
  const client: pg.PoolClient & { processID?: number | null } = await connect(pool);
  const run: Run = (query) =>
    runOn(pool, client, query).catch((error: unknown) => {
      if (error instanceof Error) backends.set(error, client.processID ?? null);
      throw error;
    });
  const begun = run({ text: 'begin' });
  const rows = write(sqlOver(run)).then((found) => found);
  const commit = run({ text: 'commit' });
  const committed = Promise.all([begun, rows, commit]).then(([, , result]) => requireCommitted(result, []));
  // Each has its answer before the connection is another's.
  void Promise.allSettled([begun, rows, commit]).then((ends) =>
    client.release(ends.some((end) => end.status === 'rejected' && isOfLine(end.reason))),
  );
  committed.catch(() => {});
  return { rows: await rows, committed };
}

const backends = new WeakMap<Error, number | null>();

/** The process in PostgreSQL behind the connection on which this happened; null when nobody knows. */
export function backendOf(error: unknown): number | null {
  return (error instanceof Error && backends.get(error)) || null;
}

/** What failed inside, and was caught there or not awaited, has spoiled the whole. */
function requireCommitted({ command }: pg.QueryResult, failures: readonly unknown[]): void {
  if (command === 'COMMIT') return;
  throw failures[0] ?? new Error('the transaction was rolled back');
}

type TurnedPool = pg.Pool & { turns: ConnectionSlots; noRoom: { of: NoRoom | null; atMs: number } };

async function connect(pool: TurnedPool): Promise<pg.PoolClient> {
  await pool.turns.take();
  try {
    const client = await pool.connect();
    const release = client.release.bind(client);
    client.release = (lost) => {
      release(lost);
      pool.turns.give({ moved: !lost });
    };
    return client;
  } catch (error) {
    pool.turns.give({ moved: false });
    throw noted(pool, named(error));
  }
}

async function runOn(
  pool: TurnedPool,
  client: pg.PoolClient,
  query: pg.QueryConfig,
): Promise<pg.QueryResult> {
  try {
    return await client.query(query);
  } catch (error) {
    throw noted(pool, named(error));
  }
}

function noted(pool: TurnedPool, error: unknown): unknown {
  const of = error instanceof pg.DatabaseError ? noRoomOf(error.code ?? '') : null;
  if (of !== null) pool.noRoom = { of, atMs: performance.now() };
  return error;
}

/** The driver gives no code to a line that breaks under a statement. */
function named(error: unknown): unknown {
  if (error instanceof Error && !('code' in error && error.code !== undefined))
    Object.assign(error, { code: LOST });
  return error;
}

const LOST = 'CONNECTION_CLOSED';

/** The connection is of no more use. The server's own words leave it usable, unless it is going down. */
function isOfLine(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.severity !== 'ERROR';
  return error instanceof Error && 'code' in error;
}

/** TLS as libpq understands `sslmode`: `require` encrypts and asks for no authority. */
function withSsl(text: string): pg.PoolConfig {
  const url = new URL(text);
  const mode = url.searchParams.get('sslmode');
  url.searchParams.delete('sslmode');
  if (mode === null || mode === 'disable') return { connectionString: url.href };
  return { connectionString: url.href, ssl: { rejectUnauthorized: mode.startsWith('verify') } };
}
