import type { Runner } from './connection.ts';

// biome-ignore lint/suspicious/noExplicitAny: the caller knows what a row is
type AnyRow = any;

/** A piece of SQL that a template may contain besides values. */
interface Piece {
  write(values: unknown[]): string;
}

/** A statement that runs when it is awaited. Inside another template it becomes a piece of that statement. */
export interface Statement<Rows> extends Promise<Rows>, Piece {}

/** SQL that is written by hand. Each value of a template becomes a parameter. */
export interface Sql {
  <Rows extends readonly unknown[] = AnyRow[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<Rows>;
  /** A list for `in`. */
  (list: readonly unknown[]): Piece;
  /** Unchanged text. Without values it may contain several statements, whose rows are concatenated. */
  unsafe<Rows extends readonly unknown[] = AnyRow[]>(
    text: string,
    values?: readonly unknown[],
  ): Statement<Rows>;
  /** Runs `work` in a transaction (`ConnectionPool.transaction`); inside a transaction, after a savepoint. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

let savepoints = 0;

/** SQL that is written by hand, over a pool or one of its connections. */
export function sqlOver(runner: Runner): Sql {
  const statement = <Rows>(write: Piece['write']): Statement<Rows> => {
    let running: Promise<Rows> | undefined;
    const rows = () => {
      const values: unknown[] = [];
      running ??= runner.run({ text: write(values), values }).then((result) => rowsOf(result) as Rows);
      return running;
    };
    return {
      write,
      // biome-ignore lint/suspicious/noThenProperty: a statement runs when it is awaited
      then: (onRows, onError) => rows().then(onRows, onError),
      catch: (onError) => rows().catch(onError),
      finally: (onEnd) => rows().finally(onEnd),
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
  return Object.assign(sql, {
    unsafe: (text: string, given: readonly unknown[] = []) =>
      statement((values) => {
        values.push(...given);
        return text;
      }),
    async begin<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      const name = `s${savepoints++}`;
      await runner.run({ text: `savepoint ${name}` });
      try {
        return await work(sqlOver(runner));
      } catch (error) {
        await runner.run({ text: `rollback to ${name}` });
        throw error;
      }
    },
  }) as unknown as Sql;
}

/** pg returns an array of results for a text with several statements. */
const rowsOf = (result: { rows: unknown[] } | { rows: unknown[] }[]): unknown[] =>
  Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;

const texts = new WeakMap<TemplateStringsArray, string>();

/** The text of a template with only values. It never changes, so it is built once. */
function textOf(strings: TemplateStringsArray): string {
  let text = texts.get(strings);
  if (text === undefined) {
    text = strings.reduce((sofar, part, i) => `${sofar}$${i}${part}`);
    texts.set(strings, text);
  }
  return text;
}

/** A Buffer also has a `write`, but it is a value. */
const isPiece = (value: unknown): value is Piece =>
  typeof value === 'object' &&
  value !== null &&
  'write' in value &&
  typeof value.write === 'function' &&
  !Buffer.isBuffer(value);
