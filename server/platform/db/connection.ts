import pg from 'pg';

/** Limits the prepared statements, because some texts depend on a caller's parameters. */
const PREPARED_MAX = 500;
/** The driver's error has no code if the connection breaks during a statement. */
export const LOST = 'CONNECTION_CLOSED';
/** SQLSTATE: the server accepts no writes. It is a standby, or its settings make it read-only. */
export const READ_ONLY = '25006';

export interface Query {
  text: string;
  values?: unknown[] | undefined;
  rowMode?: 'array' | undefined;
}

/** The server's process behind a connection. A process ID alone can be another session's after a failover. */
export interface Backend {
  pid: number;
  /** As the server writes it. Null until it has answered the connection's first statement. */
  startedAt: string | null;
}

/** A connection of pg that prepares its statements and knows whether it is still usable. */
export class Connection extends pg.Client {
  /** The connection broke, the server is ending the session, or it accepts no writes. */
  lost = false;
  /** The error of the first statement that failed since the connection was taken from the pool. */
  failure: unknown = null;
  onFailure: (error: unknown) => void = () => {};
  declare readonly processID: number | null;
  #backend: Backend | null = null;
  /** The driver's record of what the server has prepared; the library's types lack it. */
  declare readonly connection: pg.Connection & { parsedStatements: Record<string, unknown> };

  constructor(config?: pg.ClientConfig) {
    super(config);
    // The pending statements are rejected as well, so this error needs no other handler.
    this.on('error', () => {
      this.lost = true;
    });
  }

  /** Null before the connection is open. */
  get backend(): Backend | null {
    return this.#backend ?? (this.processID ? { pid: this.processID, startedAt: null } : null);
  }

  /** How many statements the server has prepared on this connection. */
  get prepared(): number {
    return Object.keys(this.connection.parsedStatements).length;
  }

  /**
   * Sends a statement and resolves with its result. Those that are not awaited one by one are sent together. Without
   * values, the text may hold several statements.
   */
  run(query: Query): Promise<pg.QueryResult> {
    const running = super.query(prepared(query)).catch((error: unknown) => {
      const failure = coded(error);
      this.failure ??= failure;
      this.onFailure(failure);
      if (!staysUsable(failure)) this.lost = true;
      if (failure instanceof Error) backends.set(failure, this.backend);
      throw failure;
    });
    // The transaction reports the failure, even if this statement is not awaited.
    running.catch(() => {});
    return running;
  }

  /** Called by drizzle. The connection's parsers replace drizzle's own. */
  // biome-ignore lint/suspicious/noExplicitAny: of pg's many forms, drizzle uses this one
  override query({ text, rowMode }: any, values?: any): any {
    return this.run({ text, values, rowMode });
  }

  /** Applies settings, each `name = value`, and reads which process serves the connection. */
  async prepareSession(settings: readonly string[]): Promise<void> {
    const set = settings.map((setting) => `set ${setting};`).join(' ');
    const text = `${set} select pid, backend_start::text as "startedAt" from pg_stat_get_activity(pg_backend_pid())`;
    // With several statements the driver resolves with their results.
    const results: unknown = await this.run({ text });
    this.#backend = Array.isArray(results) ? results.at(-1).rows[0] : null;
  }
}

/** After an ordinary error of the server. A server that became read-only may have been replaced by another one. */
const staysUsable = (failure: unknown): boolean =>
  failure instanceof pg.DatabaseError && failure.severity === 'ERROR' && failure.code !== READ_ONLY;

const backends = new WeakMap<Error, Backend | null>();

/** The PostgreSQL process on whose connection the error occurred; null if unknown. */
export function backendOf(error: unknown): Backend | null {
  return (error instanceof Error && backends.get(error)) || null;
}

/** The same error, always with a code. A standby that cannot read an unlogged table has the code {@link READ_ONLY}. */
export function coded(error: unknown): unknown {
  if (error instanceof Error && !('code' in error && error.code !== undefined))
    Object.assign(error, { code: LOST });
  // PostgreSQL's code is that of every missing feature.
  if (error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'get_relation_info')
    error.code = READ_ONLY;
  return error;
}

const names = new Map<string, string>();

function prepared({ text, values = [], rowMode }: Query): pg.QueryConfig {
  const query = { text, values, ...(rowMode && { rowMode }) };
  if (values.length === 0) return query;
  let name = names.get(text);
  if (name === undefined && names.size < PREPARED_MAX) {
    name = `w${names.size}`;
    names.set(text, name);
  }
  return name === undefined ? query : { ...query, name };
}
