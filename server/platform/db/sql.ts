import type pg from 'pg';

/** Statements of the product are few; what a caller's parameters make of them is not prepared without bound. */
const PREPARED_MAX = 500;

// biome-ignore lint/suspicious/noExplicitAny: what a row is, is known where it is asked for
type AnyRow = any;

/** What is given to a template: a value that becomes a parameter, or another piece of SQL. */
interface Piece {
  write(values: unknown[]): string;
}

/** A statement that runs when it is awaited; inside another template it is a piece of that. */
export interface Statement<Rows> extends Promise<Rows>, Piece {
  /** Rows as arrays of values. */
  values(): Promise<unknown[][]>;
  /** Several statements in one text, without parameters. */
  simple(): Promise<AnyRow[]>;
}

export interface Sql {
  <Rows extends readonly unknown[] = AnyRow[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<Rows>;
  /** A list for `in`. */
  (list: readonly unknown[]): Piece;
  unsafe<Rows extends readonly unknown[] = AnyRow[]>(
    text: string,
    values?: readonly unknown[],
  ): Statement<Rows>;
  /**
   * A transaction: what `work` rejects with rolls it back. A connection that is lost in it rejects all the rest. A
   * statement that `work` has sent and not awaited stands before the commit, and spoils it when it fails.
   */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  savepoint<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Sends a statement, and resolves with what came of it. */
export type Run = (query: pg.QueryConfig & { rowMode?: 'array' }) => Promise<pg.QueryResult>;

let savepoints = 0;

/** The words of SQL over whatever sends a statement. */
export function sqlOver(run: Run): Sql {
  const statement = <Rows>(write: Piece['write']): Statement<Rows> => {
    const text = (values: unknown[]) => ({ text: write(values), values });
    let running: Promise<Rows> | undefined;
    const rows = () => {
      running ??= run(prepared(text([]))).then((result) => result.rows as Rows);
      return running;
    };
    return {
      write,
      // biome-ignore lint/suspicious/noThenProperty: a statement runs when it is awaited
      then: (onRows, onError) => rows().then(onRows, onError),
      catch: (onError) => rows().catch(onError),
      finally: (onEnd) => rows().finally(onEnd),
      values: async () => (await run({ ...prepared(text([])), rowMode: 'array' })).rows as unknown[][],
      // Several statements give several results.
      simple: async () =>
        [(await run({ text: write([]) })) as unknown].flat().flatMap((one) => (one as pg.QueryResult).rows),
      [Symbol.toStringTag]: 'Statement',
    };
  };

  function sql(first: TemplateStringsArray | readonly unknown[], ...given: readonly unknown[]) {
    if (!('raw' in first)) {
      return { write: (values: unknown[]) => `(${first.map((item) => `$${values.push(item)}`).join(', ')})` };
    }
    const composed = given.some(isPiece);
    return statement((values) => {
      if (!composed && values.length === 0) {
        values.push(...given);
        return textOf(first);
      }
      return first.reduce((text, part, i) => {
        const value = given[i - 1];
        return text + (isPiece(value) ? value.write(values) : `$${values.push(value)}`) + part;
      });
    });
  }
  const begin = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    const name = `s${savepoints++}`;
    await run({ text: `savepoint ${name}` });
    try {
      return await work(sqlOver(run));
    } catch (error) {
      await run({ text: `rollback to ${name}` });
      throw error;
    }
  };
  return Object.assign(sql, {
    unsafe: (text: string, given: readonly unknown[] = []) =>
      statement((values) => {
        values.push(...given);
        return text;
      }),
    begin,
    savepoint: begin,
    // Where drizzle looks for what it changes about postgres.js.
    options: { parsers: {}, serializers: {} },
  }) as unknown as Sql;
}

const texts = new WeakMap<TemplateStringsArray, string>();

/** The text of a template that holds values only: the same each time, so it is put together once. */
function textOf(strings: TemplateStringsArray): string {
  let text = texts.get(strings);
  if (text === undefined) {
    text = strings.reduce((sofar, part, i) => `${sofar}$${i}${part}`);
    texts.set(strings, text);
  }
  return text;
}

const names = new Map<string, string>();
function prepared(query: { text: string; values: unknown[] }): pg.QueryConfig {
  if (query.values.length === 0) return query;
  let name = names.get(query.text);
  if (name === undefined && names.size < PREPARED_MAX) {
    name = `w${names.size}`;
    names.set(query.text, name);
  }
  return name === undefined ? query : { ...query, name };
}

/** A Buffer can be written to as well, and is a value. */
const isPiece = (value: unknown): value is Piece =>
  typeof value === 'object' &&
  value !== null &&
  'write' in value &&
  typeof value.write === 'function' &&
  !Buffer.isBuffer(value);
