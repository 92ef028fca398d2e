import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenApiMeta } from 'trpc-openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { firstAdminLink } from '#server/people/first-admin.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { handleWith } from '#server/rest/node-handler.ts';
import { sendPath } from '#server/rest/procedures/send-message.ts';
import { restRouter } from '#server/rest/router.ts';
import { CLI, IN_A_MONTH, queueMessage, signedIn } from '#server/testing/domain.ts';
import type { WithSql } from '#server/testing/sql.ts';
import { ask, codeOf, isFault, leaks, levelOf, type Outcome, PROCEDURES, streamFor } from './cells.ts';
import { type Input, inputsOf } from './inputs.ts';
import { MISSING, type Things } from './missing.ts';
import { callRareQueries } from './rare-queries.ts';
import { asStrangers, canonical, type StrangersCall, Worlds } from './replay.ts';
import { fingerprint, lockAll, Unchanged } from './rows.ts';
import { allSites, type StoreCall, takeCalls, withScopeRemoved } from './scopes.ts';
import {
  addEndpoint,
  addPerson,
  addThings,
  KNOWN_PHONE,
  ROLES,
  type Role,
  type World,
  WorldDatabases,
} from './world.ts';

// Loads every query with its scopes, whether or not a procedure uses it.
import.meta.glob('../../../server/*/queries/*.ts', { eager: true });

const databases = new WorldDatabases();
let world: World;
let database: WithSql;
/** Every query that requests of our own members made. */
const calls: StoreCall[] = [];

beforeAll(async () => {
  world = await databases.create();
  database = await databases.copy();
  setDatabase(database);
});
afterAll(async () => {
  await stopClientBoss();
  await databases[Symbol.asyncDispose]();
});

/** What a procedure needs in the database to complete its work. */
const PREPARED: Readonly<Record<string, (numberId: string) => Promise<unknown>>> = {
  'numbers.openLinking': (numberId) => database.sql`
    update numbers set status = 'UNLINKED', intent = 'idle', first_linked_at = null where id = ${numberId}`,
  'admin.tryBuildAgain': () => database.sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at, verdict)
    values ('sandbox', '2.3000.1', clock_timestamp(), clock_timestamp(), 'failed')
    on conflict (network, version) do update set verdict = 'failed'`,
};

/** Procedures that refuse every role here, because they need a valid link or code. */
const UNWILLING = new Set([
  'account.setUp',
  'account.confirmSignUp',
  'admin.releaseEmail',
  'admin.sendTestMail',
  'account.claimAdmin',
  'user.openReset',
  'user.resetPassword',
  'user.mailResetLink',
  'admin.drainWorker',
  'people.open',
  'people.join',
  'people.signUp',
  'user.confirmSecondFactor',
  'user.renewRecoveryCodes',
]);

describe('the dashboard’s procedures', () => {
  const cells = PROCEDURES.flatMap((procedure) => ROLES.map((role) => ({ ...procedure, role })));
  const mayCall = (role: Role, path: string): boolean => {
    const level = levelOf(path);
    if (level === 'open') return true;
    if (level === 'administrator') return role === 'administrator';
    // Users outside our account own other accounts.
    return role !== 'anonymous' && !(level === 'owner' && role === 'member');
  };
  const isOurs = (role: Role, path: string) =>
    role === 'owner' || role === 'member' || (role === 'administrator' && levelOf(path) === 'administrator');

  describe('with our ids, from users outside our account', () => {
    let unlock: () => Promise<void>;
    const rows = new Unchanged();
    beforeAll(async () => {
      unlock = await lockAll(database, world.ours);
      await rows.begin(database, [world.ours]);
    });
    afterAll(() => unlock());

    test.each(cells.filter(({ role, path }) => !isOurs(role, path)))(
      '$path: nothing is shown to or changed by $role, and a foreign id is as a missing one',
      async ({ path, schemas, role }) => {
        for (const input of inputsOf(path, schemas)) {
          const foreign = await ask(database, world, role, path, input.of(world.ours));
          expect(await rows.changed(), 'whose rows are not what they were').toEqual([]);
          expect(leaks(world, foreign)).toEqual([]);
          expect(isFault(foreign), JSON.stringify(foreign)).toBe(false);
          if (input.ids.length > 0)
            expect(foreign).toEqual(await ask(database, world, role, path, input.of(MISSING)));
          if (!mayCall(role, path))
            expect(codeOf(foreign)).toBe(role === 'anonymous' ? 'UNAUTHORIZED' : 'FORBIDDEN');
        }
      },
    );
  });

  describe('with their own ids', () => {
    const readable = new Map<Role, Promise<Partial<Things>>>();
    const make = async (role: Role, uses: (thing: keyof Things) => boolean): Promise<Partial<Things>> => {
      const { accountId } = world.ours;
      const ofNumber = (
        ['numberId', 'keyId', 'messageId', 'invitationId', 'endpointId', 'requestId'] as const
      ).some(uses);
      return {
        ...(ofNumber ? await addThings(database, { accountId, label: 'Heron & Sons' }) : {}),
        ...(uses('personId') ? { personId: await addPerson(database, { accountId }) } : {}),
        ...(uses('signInId') ? await signedIn(database, { userId: world.users[role as 'owner'] }) : {}),
      };
    };
    /** The records that an input names. A mutation gets its own; queries share theirs. */
    function thingsFor(role: Role, type: string, input: Input): Promise<Partial<Things>> {
      const named = JSON.stringify(input.of(MISSING)) ?? '';
      if (type === 'mutation') return make(role, (thing) => named.includes(MISSING[thing]));
      const shared = readable.get(role) ?? make(role, () => true);
      readable.set(role, shared);
      return shared;
    }

    test.each(cells.filter(({ role, path }) => isOurs(role, path)))(
      '$path: $role gets as far as their role allows',
      async ({ path, type, schemas, role }) => {
        for (const input of inputsOf(path, schemas)) {
          const made = await thingsFor(role, type, input);
          await PREPARED[path]?.(made.numberId ?? world.ours.numberId);
          takeCalls();
          const own = await ask(database, world, role, path, input.of({ ...world.ours, ...made }));
          if (mayCall(role, path)) {
            calls.push(...takeCalls().map((call) => canonical(call, made, world.ours)));
            expect(isFault(own), JSON.stringify(own)).toBe(false);
            if (input.ids.length > 0)
              expect(own).not.toEqual(await ask(database, world, role, path, input.of(MISSING)));
            else if (!UNWILLING.has(path)) expect(codeOf(own)).toBe('OK');
          } else {
            expect(codeOf(own)).toBe('FORBIDDEN');
          }
        }
      },
    );
  });

  describe('from an administrator who views our account', () => {
    let unlock: () => Promise<void>;
    const rows = new Unchanged();
    beforeAll(async () => {
      unlock = await lockAll(database, world.ours);
      await rows.begin(database, [world.ours, world.theirs]);
    });
    afterAll(() => unlock());

    // Only ending the view is allowed, and it is logged.
    test.each(PROCEDURES.filter(({ path }) => path !== 'admin.endView'))(
      '$path: it is read as its owner reads it, nothing is changed, no other account is shown',
      async ({ path, type, schemas }) => {
        const reads = type !== 'mutation' && levelOf(path) !== 'administrator';
        for (const input of inputsOf(path, schemas)) {
          const seen = await ask(database, world, 'viewer', path, input.of(world.ours));
          const foreign = await ask(database, world, 'viewer', path, input.of(world.theirs));
          expect(await rows.changed(), 'whose rows are not what they were').toEqual([]);
          if (!reads) {
            expect(codeOf(seen)).toBe('FORBIDDEN');
            expect(leaks(world, seen).filter((canary) => canary !== world.ours.email)).toEqual([]);
          } else if (path === 'sandbox.phone') {
            expect(isFault(seen)).toBe(false); // no sandbox runs here
          } else {
            expect(codeOf(seen)).toBe('OK');
            if (path === 'numbers.linking') expect(seen).toMatchObject({ data: { qr: null } });
          }
          expect(JSON.stringify(foreign)).not.toContain('Plover Ltd');
          if (input.ids.length > 0)
            expect(foreign).toEqual(await ask(database, world, 'viewer', path, input.of(MISSING)));
        }
      },
    );
  });

  test('make the user who opens the one-time link the administrator, and nobody else', async () => {
    const { owner, administrator } = world.users;
    await database.sql`update users set admin = false where id = ${administrator}`;
    const token = new URL((await firstAdminLink({ database })) ?? 'x:').searchParams.get('token');
    takeCalls();
    expect(codeOf(await ask(database, world, 'owner', 'account.claimAdmin', { token }))).toBe('OK');
    calls.push(...takeCalls());
    expect(await database.sql`select id from users where admin`).toEqual([{ id: owner }]);
    await database.sql`update users set admin = (id = ${administrator})`;
  });

  test('notify a stream of changes in its own account only', async () => {
    const news: object[] = [];
    const { ours, theirs } = world;
    const touch = (numberId: string) =>
      database.sql`update numbers set label = label || '.' where id = ${numberId}`;
    for await (const one of await streamFor(database, world, 'other')) {
      news.push(one);
      if (news.length === 2) break;
      await touch(ours.numberId);
      await touch(theirs.numberId);
    }
    const nothingElse = { messages: [], newRequests: false, newRefusals: false, all: false };
    expect(news[1]).toEqual({ numbers: [theirs.numberId], ...nothingElse });
  });

  test('show the owner of another account only their own data', async () => {
    const reads = PROCEDURES.filter(({ type, path }) => type === 'query' && mayCall('other', path));
    for (const { path, schemas } of reads) {
      for (const input of inputsOf(path, schemas)) {
        const own: Outcome = await ask(database, world, 'other', path, input.of(world.theirs));
        expect(leaks(world, own), path).toEqual([]);
      }
    }
  });
});

describe('the endpoints of the API', () => {
  const server = createServer((req, res) => void handleWith({ trustProxy: false }, req, res));
  beforeAll(async () => {
    await activatePlan(
      { database, ...world.ours, actor: CLI },
      { numbersIncluded: 50, paidUntil: IN_A_MONTH },
    );
    // Nothing renews the leases here, and on a busy machine the earlier tests last longer than a lease.
    await database.sql`
      update leases set worker_id = coalesce(worker_id, 'wrk_of_a_test'), renewed_at = clock_timestamp() + interval '1 hour',
        expires_at = clock_timestamp() + interval '1 hour'`;
    // Earlier tests may have held or suspended it, and an expired lease leaves it RECONNECTING.
    await database.sql`
      update numbers set status = 'CONNECTED', held_at = null, suspended_at = null where id = ${world.ours.numberId}`;
    await database.sql`update accounts set suspended_at = null where id = ${world.ours.accountId}`;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const examples: Record<string, object> = {
    ...Object.fromEntries(
      MESSAGE_TYPES.map((type) => [sendPath(type), exampleRequest(type, PLACEHOLDER_FILES)]),
    ),
    '/messages/{id}/cancel': {},
    '/recipients/check': { to: KNOWN_PHONE },
    '/webhooks': { url: 'https://example.com/hook' },
    '/webhooks/{id}': { active: true },
    '/webhooks/{id}/rotate': {},
    '/webhooks/{id}/test': {},
    '/webhooks/{id}/replay': { since: '2026-01-01T00:00:00Z' },
  };
  const endpoints = Object.entries(restRouter._def.procedures).map(([name, procedure]) => {
    const { openapi } = procedure._def.meta as OpenApiMeta;
    if (!openapi) throw new Error(`${name} has no path`);
    return { name, ...openapi };
  });

  const idOf = (body: unknown): unknown => (body as { data?: { id?: string } }).data?.id ?? null;

  async function call(
    { name, method, path }: { name: string; method: string; path: string },
    key: string | null,
    things: Things,
    idempotencyKey: string | null,
  ): Promise<{ status: number; body: unknown }> {
    const { port } = server.address() as AddressInfo;
    const sending = method === 'POST' || method === 'PATCH';
    const id = path.startsWith('/webhooks') ? things.endpointId : things.messageId;
    if (sending && !examples[path]) throw new Error(`${name} has no example`);
    if (/\{(?!id\})/.test(path)) throw new Error(`${path} has a parameter that is unknown here`);
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path.replace('{id}', id)}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        prefer: 'respond-async',
        ...(sending ? { 'content-type': 'application/json' } : {}),
        ...(sending && idempotencyKey !== null ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(sending ? { body: JSON.stringify(examples[path]) } : {}),
    });
    return { status: answer.status, body: await answer.json() };
  }

  test.each(endpoints)('$method $path: a key reads and sends for its own number only', async (endpoint) => {
    // One endpoint may delete what the next one needs.
    const { accountId, numberId } = world.ours;
    const endpointId = endpoint.path.startsWith('/webhooks/{id}')
      ? await addEndpoint(database, { accountId, numberId })
      : world.ours.endpointId;
    const messageId = endpoint.path.endsWith('/cancel')
      ? await queueMessage(database, { accountId, numberId })
      : world.ours.messageId;
    const ours = { ...world.ours, endpointId, messageId };
    takeCalls();
    const own = await call(endpoint, world.keys.ours, ours, `key of ${endpoint.name}`);
    if (endpoint.method === 'POST') await call(endpoint, world.keys.ours, ours, null);
    calls.push(...takeCalls().map((made) => canonical(made, { endpointId, messageId }, world.ours)));
    expect([200, 202], JSON.stringify(own.body)).toContain(own.status);

    const before = await fingerprint(database.sql, ours);
    const foreign = await call(endpoint, world.keys.theirs, ours, `key of ${endpoint.name}`);
    expect(leaks(world, foreign)).toEqual([]);
    // Although Idempotency-Key and body are the same as ours, it is their own message.
    if (endpoint.method === 'POST' && idOf(own.body) !== null && !endpoint.path.includes('{'))
      expect(idOf(foreign.body)).not.toBe(idOf(own.body));
    if (endpoint.path.includes('{'))
      expect(foreign).toEqual(await call(endpoint, world.keys.theirs, MISSING, ''));
    const planless = await call(endpoint, world.keys.planless, ours, `key of ${endpoint.name}`);
    expect(planless.status).toBe(402);
    const anonymous = await call(endpoint, null, ours, `key of ${endpoint.name}`);
    expect(anonymous.status).toBe(401);
    expect(leaks(world, [planless, anonymous])).toEqual([]);
    expect(await fingerprint(database.sql, ours)).toBe(before);
  });
});

describe('the queries themselves, called by another account', () => {
  let worlds: Worlds;
  let strangers: StrangersCall[];
  /** What unchanged queries revealed. */
  const given: string[] = [];
  /** The calls that used each scope. */
  const reached = new Map<string, StrangersCall[]>();
  afterAll(() => worlds?.[Symbol.asyncDispose]());
  beforeAll(async () => {
    takeCalls();
    await callRareQueries(database, world.ours);
    calls.push(...takeCalls());
    strangers = asStrangers(
      calls.map((call) => canonical(call, {}, world.ours)),
      world,
    );
    worlds = await Worlds.make(databases, world);
    for (const call of strangers) {
      const { result, hit } = await withScopeRemoved(null, () => worlds.violations(call));
      given.push(...result);
      for (const site of hit) reached.set(site, [...(reached.get(site) ?? []), call]);
    }
  });

  test('answer as if our account did not exist, and do not change our rows', () => {
    expect(strangers.length).toBeGreaterThan(20);
    expect(given).toEqual([]);
  });

  test('reveal our account as soon as any one of them loses its account condition', async () => {
    const survived: string[] = [];
    for (const site of allSites()) {
      const reaching = reached.get(site) ?? [];
      if ((await withScopeRemoved(site, () => worlds.isAnyViolated(reaching))).result) continue;
      survived.push(`${site} (${reaching.map(({ name }) => name).join(', ') || 'unreached'})`);
    }
    expect(allSites().length).toBeGreaterThan(40);
    expect(survived).toEqual([]);
  });
});
