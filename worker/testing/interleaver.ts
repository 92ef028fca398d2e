import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '#server/platform/db/client.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';

/** What happens to a statement: it runs, its connection is lost before it, or after it and before its answer. */
export type Fate = 'runs' | 'lost before' | 'lost after';

interface Statement {
  actor: string;
  connection: pg.Client;
  /** By actor and by when it asked for its connection: how fast that was opened must not decide. */
  order: readonly [actor: number, asked: number];
  run(): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Turns of the event loop after which everything that an answer sets off has reached its next statement. */
const TURNS = 3;
const ENDS_WITHIN_MS = 5000;
/** After this time it is checked whether a statement waits for a lock. */
const SOON_MS = 20;
/** A test may stop the clock. */
const setTimeoutOfTheSystem = globalThis.setTimeout;

/**
 * Holds each statement of its actors until a test lets it run, so that the test decides their order. Everything between
 * two statements of an actor happens at once. A statement that waits for a lock stays, and the others continue.
 */
export class Interleaver {
  readonly #admin: WithSql;
  readonly #url: string;
  readonly #actors: string[] = [];
  readonly #owners = new Map<pg.Client, string>();
  readonly #asked = new WeakMap<pg.Client, number>();
  readonly #dead = new Set<string>();
  readonly #running = new Set<Statement>();
  readonly #restore: () => void;
  #held: Statement[] = [];
  #connecting = 0;
  #takes = 0;
  #events = 0;

  /** `admin`: a database whose statements are not held. */
  constructor(admin: WithSql, url: string) {
    this.#admin = admin;
    this.#url = url;
    const original = pg.Client.prototype.query as (this: pg.Client, query: unknown) => Promise<unknown>;
    const hold = this.#hold.bind(this);
    pg.Client.prototype.query = function (this: pg.Client, query: unknown) {
      return hold(this, () => original.call(this, query));
    } as typeof pg.Client.prototype.query;
    this.#restore = () => {
      pg.Client.prototype.query = original as typeof pg.Client.prototype.query;
    };
  }

  /** The same database over connections of this actor. */
  database(actor: string): WithSql {
    const database = withSql(openDatabase(this.#url, 30));
    const { connections } = database.pool;
    this.#actors.push(actor);
    connections.on('connect', (connection) => this.#owners.set(connection, actor));
    const take = connections.take.bind(connections);
    connections.take = async () => {
      this.#connecting += 1;
      const asked = this.#takes++;
      try {
        const connection = await take();
        this.#asked.set(connection, asked);
        return connection;
      } finally {
        this.#connecting -= 1;
      }
    };
    return database;
  }

  /** How many statements could run now. */
  get ready(): number {
    return this.#ready().length;
  }

  /** A statement waits for another one's lock. */
  get isBlocked(): boolean {
    return this.#running.size > 0;
  }

  /** Lets the `place`-th statement run, until it has its answer or waits for a lock. */
  async step(place: number, fate: Fate): Promise<void> {
    const statement = this.#ready()[place];
    if (!statement) throw new Error('no such statement');
    this.#held = this.#held.filter((held) => held !== statement);
    this.#running.add(statement);
    const answered = this.#run(statement, fate).finally(() => {
      this.#events += 1;
      this.#running.delete(statement);
    });
    await Promise.race([answered, new Promise((resolve) => setTimeoutOfTheSystem(resolve, SOON_MS))]);
    await this.settle();
  }

  /** The actor's process is killed: nothing of it continues. */
  async kill(actor: string): Promise<void> {
    this.#dead.add(actor);
    const lost = [...this.#held, ...this.#running].filter((statement) => statement.actor === actor);
    this.#held = this.#held.filter((held) => !lost.includes(held));
    for (const { connection } of lost) await this.#end(connection);
    for (const statement of lost) this.#running.delete(statement);
    await this.settle();
  }

  /** Waits until every statement that runs waits for a lock, and everybody else for their turn. */
  async settle(): Promise<void> {
    for (;;) {
      await this.#quiet();
      if (this.#running.size === 0) return;
      const rows = await this.#admin.sql<{ pid: number }[]>`select pid from pg_locks where not granted`;
      const waiting = new Set(rows.map(({ pid }) => pid));
      const seen = this.#events;
      await this.#quiet();
      if (seen === this.#events && [...this.#running].every((one) => waiting.has(pidOf(one.connection))))
        return;
    }
  }

  /** Ends all connections. */
  async stop(): Promise<void> {
    this.#restore();
    for (const actor of this.#actors) this.#dead.add(actor);
    const pids = [...this.#owners.keys()].map(pidOf);
    await this.#admin.sql`
      select pg_terminate_backend(pid, ${ENDS_WITHIN_MS}) from pg_stat_activity
      where pid = any(${pids}) and datname = current_database()`;
  }

  #hold(connection: pg.Client, run: () => Promise<unknown>): Promise<unknown> {
    const actor = this.#owners.get(connection);
    if (actor === undefined) return run();
    this.#events += 1;
    return new Promise((resolve, reject) => {
      const order = [this.#actors.indexOf(actor), this.#asked.get(connection) ?? 0] as const;
      if (!this.#dead.has(actor)) this.#held.push({ actor, connection, order, run, resolve, reject });
    });
  }

  /** Those of a connection run one after another. */
  #ready(): Statement[] {
    const busy = new Set([...this.#running].map(({ connection }) => connection));
    const first = this.#held.filter(({ connection }) => !busy.has(connection) && busy.add(connection));
    return first.sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1]);
  }

  async #run(statement: Statement, fate: Fate): Promise<void> {
    const { actor, connection, run, resolve, reject } = statement;
    const settle = (how: () => void) => {
      if (!this.#dead.has(actor)) how();
    };
    if (fate === 'lost before') await this.#end(connection);
    await run().then(
      async (result) => {
        if (fate !== 'lost after') return settle(() => resolve(result));
        await this.#end(connection);
        settle(() => reject(new Error('the connection was lost')));
      },
      (error: unknown) => settle(() => reject(error)),
    );
  }

  async #end(connection: pg.Client): Promise<void> {
    await this.#admin.sql`select pg_terminate_backend(${pidOf(connection)}, ${ENDS_WITHIN_MS})`;
  }

  async #quiet(): Promise<void> {
    for (let turn = 0, seen = -1; turn < TURNS || this.#connecting > 0; turn++) {
      await setImmediate();
      if (seen !== this.#events) turn = 0;
      seen = this.#events;
    }
  }
}

const pidOf = (connection: pg.Client) => (connection as pg.Client & { processID: number }).processID;
