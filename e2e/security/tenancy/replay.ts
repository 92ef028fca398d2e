import { DrizzleQueryError } from 'drizzle-orm';
import { reserve, type WithSql } from '#server/testing/sql.ts';
import type { Things } from './missing.ts';
import { fingerprint, lockAll } from './rows.ts';
import type { StoreCall } from './scopes.ts';
import { PLANTED, type World, type WorldDatabases } from './world.ts';

/** The parameters that decide whose rows a query may use: the first of these that it takes. */
const SUBJECTS = ['accountId', 'userId', 'numberId', 'keyId'] as const;
/** Values that change while a test runs. */
const CLOCKS = new Set([
  ...['now', 'leaseSilentMs', 'moveGraceMs', 'slotInMs', 'dueInMs'],
  ...['linkDays', 'timelockMs', 'capMs', 'pauseMs', 'askedInMs', 'takenInMs', 'firstAgoMs'],
]);
/** The error of an insert that names one of our numbers. Services look the number up first. */
const FOREIGN_KEY = '23503';

/** One of our calls, made for another account. */
export interface StrangersCall extends StoreCall {
  /** Whose account it is made for. */
  accountId: string;
}

/** Our calls, each kind once, made for other accounts. Everything except the subject stays ours. */
export function asStrangers(calls: readonly StoreCall[], world: World): StrangersCall[] {
  const kinds = new Map<string, StrangersCall>();
  for (const call of calls) {
    const given = Object.entries(call.params).filter(([, value]) => value !== undefined);
    const kind = [
      call.name,
      ...given.map(([name, value]) => `${name}${value === null ? ' null' : ''}`),
    ].join();
    for (const { accountId, ...replaced } of strangersOf(call, world)) {
      const stranger = `${accountId} ${JSON.stringify(replaced)} ${kind}`;
      const params = { ...call.params, ...replaced, ...('accountId' in call.params ? { accountId } : {}) };
      if (!kinds.has(stranger)) kinds.set(stranger, { ...call, params, accountId });
    }
  }
  return [...kinds.values()];
}

/** The other accounts for which a call is made, and the values that replace ours. */
function strangersOf({ name, params }: StoreCall, world: World) {
  const { ours, theirs, newcomer, crossedKeyId } = world;
  const { accountId } = theirs;
  // The administrator's list has no subject. A search for another account must not show our data.
  if (name === 'account-list.listAccountRows' || name === 'account-list.countAccounts')
    return [accountId, theirs.email].map((search) => ({ accountId, search }));
  // Keys are looked up together.
  if (Array.isArray(params.keyIds) && params.keyIds.includes(ours.keyId))
    return [theirs.keyId, crossedKeyId].map((keyId) => ({ accountId, keyIds: [keyId] }));
  const subject = SUBJECTS.find((key) => params[key] === ours[key]);
  switch (subject) {
    case 'accountId':
      return [
        { accountId },
        { accountId: newcomer.accountId },
        // The query counts the other numbers of its account, so it is also called with one of their numbers.
        ...(name === 'callers.findNumberCaller' ? [{ accountId, numberId: theirs.numberId }] : []),
      ];
    case 'userId':
      return [theirs, newcomer].map((other) => ({ accountId: other.accountId, userId: other.userId }));
    case 'numberId':
      return [{ accountId, numberId: theirs.numberId }];
    case 'keyId':
      return [theirs.keyId, crossedKeyId].map((keyId) => ({ accountId, keyId }));
    case undefined:
      return [];
    default:
      return subject satisfies never;
  }
}

/** A call whose ids exist only in this database, with the ids that every copy has instead. */
export function canonical(call: StoreCall, made: Partial<Things>, ours: Things): StoreCall {
  const params = Object.fromEntries(
    Object.entries(call.params).map(([name, value]) => {
      const known = (one: unknown) => {
        const thing = (Object.keys(made) as (keyof Things)[]).find((key) => made[key] === one);
        return thing ? ours[thing] : one;
      };
      if (value !== null && name in PLANTED) return [name, PLANTED[name as keyof typeof PLANTED]];
      // The browser's own sign-in is in no copy.
      if (name === 'signInId' || name === 'exceptId') return [name, value === null ? null : ours.signInId];
      return [name, Array.isArray(value) ? value.map(known) : known(value)];
    }),
  );
  return { ...call, params };
}

/** The whole world, and a copy for each stranger without all others. A stranger must not see the difference. */
export class Worlds implements AsyncDisposable {
  readonly #world: World;
  readonly #together: Undone;
  readonly #alone: ReadonlyMap<string, Undone>;
  readonly #unlock: () => Promise<void>;

  private constructor(
    world: World,
    together: Undone,
    alone: ReadonlyMap<string, Undone>,
    unlock: () => Promise<void>,
  ) {
    this.#world = world;
    this.#together = together;
    this.#alone = alone;
    this.#unlock = unlock;
  }

  static async make(databases: WorldDatabases, world: World): Promise<Worlds> {
    const together = await databases.copy();
    const alone = new Map<string, Undone>();
    for (const { accountId, userId } of [world.theirs, world.newcomer]) {
      const copy = await databases.copy();
      await copy.sql`delete from accounts where id <> ${accountId}`;
      await copy.sql`delete from message_count_deltas where account_id <> ${accountId}`;
      // The log outlives an account. In this copy the other accounts must never have existed.
      await copy.sql.unsafe(`
        alter table audit_log disable trigger user; alter table audit_actors disable trigger user;
        delete from audit_actors where audit_id in (select id from audit_log where account_id <> '${accountId}');
        delete from audit_log where account_id <> '${accountId}';
        alter table audit_log enable trigger user; alter table audit_actors enable trigger user`);
      await copy.sql`delete from users where id <> ${userId}`;
      alone.set(accountId, await Undone.on(copy));
    }
    const unlock = await lockAll(together, world.ours);
    return new Worlds(world, await Undone.on(together), alone, unlock);
  }

  /** What a stranger's call revealed of others, or changed in our account. Its changes are rolled back. */
  async violations(call: StrangersCall): Promise<string[]> {
    const together = await this.#together.run(call, this.#world);
    const alone = await this.#alone.get(call.accountId)?.run(call, null);
    if (!alone) throw new Error(`${call.accountId} has no world of its own`);
    const found = together.changed ? [`${call.name}: our rows were changed`] : [];
    const byKey = together.answer.includes(FOREIGN_KEY) || alone.answer.includes(FOREIGN_KEY);
    if (together.answer !== alone.answer && !byKey)
      found.push(`${call.name}: ${together.answer.slice(0, 300)}, alone ${alone.answer.slice(0, 300)}`);
    return found;
  }

  /** Whether any of these calls reveals something. It stops at the first one that does. */
  async isAnyViolated(calls: readonly StrangersCall[]): Promise<boolean> {
    for (const call of calls) if ((await this.violations(call)).length > 0) return true;
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#unlock();
    for (const undone of [this.#together, ...this.#alone.values()]) undone.release();
  }
}

type Own = Awaited<ReturnType<typeof reserve>>;

/** One connection on which every call is rolled back. */
class Undone {
  readonly #sql: Own;

  private constructor(sql: Own) {
    this.#sql = sql;
  }

  static async on(database: WithSql): Promise<Undone> {
    return new Undone(await reserve(database.pool));
  }

  release(): void {
    this.#sql.release();
  }

  /** What a call answers, and whether it changes rows of `watched`'s account. */
  async run(
    { name, call, over, params }: StoreCall,
    watched: World | null,
  ): Promise<{ answer: string; changed: boolean }> {
    const sql = this.#sql;
    const look = watched && !/\.(find|list|count|is|has)[A-Z]/.test(name);
    await sql.unsafe('begin');
    try {
      const before = look ? await fingerprint(sql, watched.ours) : '';
      const databases = { pool: { db: sql.db, close: null }, drizzle: sql.db };
      const result = await call(databases[over], params);
      const changed = look ? (await fingerprint(sql, watched.ours)) !== before : false;
      const answer = JSON.stringify(result, (key, value) => (CLOCKS.has(key) ? undefined : value));
      return { answer: answer ?? 'nothing', changed };
    } catch (error) {
      const cause = error instanceof DrizzleQueryError ? error.cause : error;
      return { answer: `fails with ${(cause as { code?: string }).code ?? String(cause)}`, changed: false };
    } finally {
      await sql.unsafe('rollback');
    }
  }
}
