import pg from 'pg';
import { type NoRoom, noRoomOf } from '#server/core/sqlstate.ts';
import { Connection, coded, type Query, READ_ONLY } from './connection.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { PoolDb, Tx } from './drizzle.ts';
import { Listener } from './listener.ts';
import { parserOf } from './types.ts';

/** The server cancels a statement after this time. A connection that is silent for longer counts as lost. */
const STATEMENT_MS = 10_000;
const SILENCE_MS = 11_000;
/**
 * What the statements rely on, whatever defaults the server, the database or the user has. Set by a statement: a pooler
 * such as PgBouncer refuses most startup parameters.
 */
const SESSION = {
  // A day has 24 hours.
  TimeZone: "'UTC'",
  DateStyle: "'ISO'",
  // A message whose claim was lost with the server would be sent a second time.
  synchronous_commit: 'on',
  // A statement after a lock sees what was committed while it waited.
  default_transaction_isolation: "'read committed'",
  // Where the migrations make the tables.
  search_path: "'public'",
  // With many numbers the planner compiles statements that run in milliseconds, which takes much longer.
  jit: 'off',
  // `statement_timeout` limits waits for locks, too.
  lock_timeout: '0',
  statement_timeout: String(STATEMENT_MS),
  idle_in_transaction_session_timeout: String(STATEMENT_MS),
};
const NO_LIMITS = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' };
const CONNECT_MS = 10_000;
/** A caller that waits longer for a connection fails and may try again later. */
const TURN_MS = 5_000;
/** How long the pool remembers that the server had no room. */
const NO_ROOM_MS = 30_000;

/** The rows of a statement whose transaction is still committing. */
export interface PipelinedCommit<Rows> {
  rows: Rows;
  /** Rejects when it is not certain that the transaction was committed. */
  committed: Promise<void>;
}

/** One connection of a pool, outside a transaction. */
export interface Reserved {
  db: Tx;
  connection: Connection;
  release(options?: { reusable: boolean }): void;
}

/** Queries over a pool of connections. */
export interface Pool {
  readonly db: PoolDb;
  readonly connections: ConnectionPool;
  /**
   * Runs one statement in its own transaction and resolves with its rows while the transaction commits, so that
   * the caller can prepare the next step. Nothing may be sent before `committed` resolves. Errors name their
   * connection's process (`backendOf`).
   */
  pipelinedCommit<Rows>(write: (tx: Tx) => Promise<Rows>): Promise<PipelinedCommit<Rows>>;
  /**
   * Runs `work` in a transaction on a connection of its own, whose statements may take as long as they need: for
   * backups and restores of any size.
   */
  beginLong<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Gives the caller one connection until `release`, which closes it unless `reusable`. */
  reserve(): Promise<Reserved>;
  /** Calls `onListen` each time listening begins: at first, and after each lost connection. */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  /** What the server had no room for within the last 30 s; null if there was room. */
  noRoom(): NoRoom | null;
  /** How many connections there are, how many of them are idle, and how many callers wait for one. */
  load(): { total: number; idle: number; waiting: number };
  /** How many statements the server has prepared, over all connections. */
  prepared(): number;
  end(): Promise<void>;
}

/**
 * Opens a pool of at most `max` connections. Nothing is connected before the first statement. The pool applies
 * `settings` to each new connection. With a `turn`, callers of different turns alternate, and each has one
 * connection at a time.
 */
export function openPool(
  url: string,
  max: number,
  settings: Record<string, string> = {},
  turn?: () => string,
): Pool {
  const config = configOf(url);
  const connections = new ConnectionPool(config, {
    ...{ max, turnMs: TURN_MS, session: settings },
    ...(turn && { turn, perTurn: 1 }),
  });
  const listener = new Listener(config);
  return {
    db: new PoolDb(connections),
    connections,
    pipelinedCommit: (write) => pipelinedCommit(connections, write),
    async beginLong(work) {
      const own = openUnlimited(url);
      return own.db.transaction(work).finally(() => own.end());
    },
    async reserve() {
      const connection = await connections.take();
      return {
        ...{ db: new Tx(connection), connection },
        release: ({ reusable } = { reusable: false }) => connections.give(connection, { close: !reusable }),
      };
    },
    listen: (channel, onNotification, onListen) => listener.listen(channel, onNotification, onListen),
    noRoom: () => connections.noRoom(),
    load: () => connections.load(),
    prepared: () => connections.prepared(),
    async end() {
      await Promise.all([listener.stop(), connections.end()]);
    },
  };
}

/** One connection, whose statements may take as long as they need. */
export function openUnlimited(url: string): { db: PoolDb; end(): Promise<void> } {
  const config = { ...configOf(url), query_timeout: 0 };
  const own = new ConnectionPool(config, { max: 1, turnMs: TURN_MS, session: NO_LIMITS });
  return { db: new PoolDb(own), end: () => own.end() };
}

type Taken = Connection & pg.PoolClient;

/** A pg pool whose callers wait in line. It remembers that the server had no room. */
export class ConnectionPool extends pg.Pool {
  readonly #slots: ConnectionSlots;
  readonly #turn: () => string;
  readonly #turns = new Map<Connection, string>();
  readonly #open = new Set<Connection>();
  #noRoom: { of: NoRoom | null; atMs: number } = { of: null, atMs: Number.NEGATIVE_INFINITY };

  /** `session`: settings of each connection, in addition to {@link SESSION} or instead of its own. */
  constructor(
    config: pg.PoolConfig,
    {
      max,
      turnMs,
      session,
      turn = () => '',
      perTurn = max,
    }: {
      max: number;
      turnMs: number;
      session: Readonly<Record<string, string>>;
      turn?: () => string;
      perTurn?: number;
    },
  ) {
    const set = Object.entries({ ...SESSION, ...session }).map(([name, value]) => `${name} = ${value}`);
    // The pool closes a connection whose settings fail.
    const onConnect = (connection: pg.ClientBase) => (connection as Taken).prepareSession(set);
    super({ ...config, max, Client: Connection, onConnect });
    this.#slots = new ConnectionSlots(max, turnMs, perTurn);
    this.#turn = turn;
    // A lost idle connection needs no handling.
    this.on('error', () => {});
    this.on('connect', (connection) => this.#open.add(connection as Taken));
    this.on('remove', (connection) => this.#open.delete(connection as Taken));
  }

  /** A connection, which the caller must release. */
  async take(): Promise<Taken> {
    const turn = this.#turn();
    await this.#slots.take(turn);
    try {
      const connection = await this.#usable();
      this.#turns.set(connection, turn);
      connection.failure = null;
      connection.onFailure = this.#note;
      return connection;
    } catch (error) {
      this.#slots.give({ moved: false, turn });
      this.#note(error);
      throw coded(error);
    }
  }

  /** An idle connection may have been lost through another one's error. */
  async #usable(): Promise<Taken> {
    for (;;) {
      const connection = (await this.connect()) as Taken;
      if (!connection.lost) return connection;
      connection.release(true);
    }
  }

  give(connection: Taken, { close } = { close: connection.lost }): void {
    const turn = this.#turns.get(connection);
    this.#turns.delete(connection);
    connection.release(close);
    this.#slots.give({ moved: !close, ...(turn === undefined ? {} : { turn }) });
  }

  async run(query: Query): Promise<pg.QueryResult> {
    const connection = await this.take();
    return connection.run(query).finally(() => this.give(connection));
  }

  /** Called by drizzle. */
  // biome-ignore lint/suspicious/noExplicitAny: of pg's many forms, drizzle uses this one
  override query({ text, rowMode }: any, values?: any): any {
    return this.run({ text, values, rowMode });
  }

  /**
   * Runs `work` in a transaction and rolls it back if `work` rejects. After a lost connection, all further
   * statements reject. A statement that `work` has not awaited still runs before the commit, and its failure fails
   * the transaction.
   */
  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.take();
    try {
      // Sent together with the first statement, which fails if this fails.
      const begun = connection.run({ text: 'begin' });
      const result = await work(connection);
      const commit = connection.run({ text: 'commit' });
      await begun;
      requireCommitted(await commit, connection);
      return result;
    } catch (error) {
      if (!connection.lost) await connection.run({ text: 'rollback' }).catch(() => {});
      throw error;
    } finally {
      this.give(connection);
    }
  }

  noRoom(): NoRoom | null {
    return performance.now() - this.#noRoom.atMs < NO_ROOM_MS ? this.#noRoom.of : null;
  }

  load(): { total: number; idle: number; waiting: number } {
    return { total: this.totalCount, idle: this.idleCount, waiting: this.#slots.waiting };
  }

  prepared(): number {
    return [...this.#open].reduce((sum, connection) => sum + connection.prepared, 0);
  }

  #note = (error: unknown): void => {
    if (!(error instanceof pg.DatabaseError)) return;
    // After a failover, new connections reach the server that accepts writes.
    if (error.code === READ_ONLY) for (const connection of this.#open) connection.lost = true;
    const of = noRoomOf(error.code ?? '');
    if (of !== null) this.#noRoom = { of, atMs: performance.now() };
  };
}

async function pipelinedCommit<Rows>(
  pool: ConnectionPool,
  write: (tx: Tx) => Promise<Rows>,
): Promise<PipelinedCommit<Rows>> {
  const connection = await pool.take();
  const begun = connection.run({ text: 'begin' });
  const rows = write(new Tx(connection));
  const commit = connection.run({ text: 'commit' });
  const committed = Promise.all([begun, rows, commit]).then(([, , result]) =>
    requireCommitted(result, connection),
  );
  // All three must be answered before another caller gets the connection.
  void Promise.allSettled([begun, rows, commit]).then(() => pool.give(connection));
  committed.catch(() => {});
  return { rows: await rows, committed };
}

/** A failed statement that was caught, or not awaited, fails the whole transaction. */
function requireCommitted({ command }: pg.QueryResult, { failure }: Connection): void {
  if (command === 'COMMIT') return;
  throw failure ?? new Error('the transaction was rolled back');
}

function configOf(url: string): pg.PoolConfig {
  return {
    ...withSsl(url),
    // Idle connections stay open: an idle number's next message must not wait for a new one.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'wirebird',
    // The server cancels slow statements earlier, so a connection without an answer is half-open.
    query_timeout: SILENCE_MS,
    pipeline: true,
    types: { getTypeParser: parserOf },
  };
}

/**
 * TLS as libpq understands `sslmode`: `require` encrypts but does not verify the certificate. `prefer` and `allow` do the
 * same and never fall back: a connection that was meant to be encrypted is not silently readable.
 */
function withSsl(text: string): pg.PoolConfig {
  const url = new URL(text);
  const mode = url.searchParams.get('sslmode');
  url.searchParams.delete('sslmode');
  if (mode === null || mode === 'disable') return { connectionString: url.href };
  return { connectionString: url.href, ssl: { rejectUnauthorized: mode.startsWith('verify') } };
}
