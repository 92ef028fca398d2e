import { type SQL, sql } from 'drizzle-orm';

/** A call of a query, as the matrix made it. */
export interface StoreCall {
  /** `numbers.findNumberRow` */
  name: string;
  call: (db: unknown, params: unknown) => unknown;
  /** Its first argument: the process's database, or drizzle over a pool or a transaction. */
  over: 'pool' | 'drizzle';
  params: Record<string, unknown>;
}

const sites = new Set<string>();
const hits = new Set<string>();
const seen: StoreCall[] = [];
let removed: string | null = null;

/** What the rewritten queries call; see `scopes-plugin.ts`. */
export const tenancy = {
  declare(file: string, count: number): void {
    for (let n = 1; n <= count; n++) sites.add(`${file}#${n}`);
  },
  /** A condition of drizzle; nothing if it is removed. */
  scope(site: string, condition: () => SQL): SQL | undefined {
    return isOpen(site) ? undefined : condition();
  },
  /** Beside a scope in SQL; called each time the query is built. */
  open: (site: string) => ({ getSQL: () => (isOpen(site) ? sql`true` : sql`false`) }),
  seen<A extends unknown[]>(name: string, call: (...args: A) => unknown): (...args: A) => unknown {
    return (...args) => {
      const [db, params] = args;
      const over = databaseOf(db);
      if (over && isRecord(params)) {
        const replayable = call as unknown as StoreCall['call'];
        seen.push({ name, call: replayable, over, params: structuredClone(params) });
      }
      return call(...args);
    };
  },
};

function isOpen(site: string): boolean {
  hits.add(site);
  return removed === site;
}

function databaseOf(db: unknown): StoreCall['over'] | null {
  if (!isRecord(db)) return null;
  if ('close' in db) return 'pool';
  // Functions that make a condition also take records: tables.
  return 'execute' in db ? 'drizzle' : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Every scope in the loaded queries. */
export const allSites = (): string[] => [...sites];

/** The calls since the previous call of this function. */
export const takeCalls = (): StoreCall[] => seen.splice(0);

/** Runs `work` with one scope removed from its query, or none, and returns the scopes that were used. */
export async function withScopeRemoved<T>(
  site: string | null,
  work: () => Promise<T>,
): Promise<{ result: T; hit: Set<string> }> {
  removed = site;
  hits.clear();
  try {
    const result = await work();
    return { result, hit: new Set(hits) };
  } finally {
    removed = null;
  }
}
