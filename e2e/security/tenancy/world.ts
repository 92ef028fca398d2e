import { randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { newId } from '#server/core/id.ts';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { sealLinking } from '#server/numbers/queries/linking-seal.ts';
import { indexMessages } from '#server/operations/index-messages.ts';
import { countStale, foldCounts } from '#server/operations/keep-counts.ts';
import { makeResetLink } from '#server/people/change-password.ts';
import { putRecoveryCodes } from '#server/people/queries/second-factors.ts';
import { signUp } from '#server/people/sign-up.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { insertRequests } from '#server/requests/queries/requests.ts';
import {
  CLI,
  freshEmail,
  linkAsWorker,
  makeAccount,
  makeNumber,
  PASSWORD,
  queueMessage,
  signedIn,
} from '#server/testing/domain.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { createEndpoint, sendTestEvent } from '#server/webhooks/endpoints.ts';
import type { Things } from './missing.ts';

export type Role = 'owner' | 'member' | 'other' | 'planless' | 'administrator' | 'anonymous';
export const ROLES: readonly Role[] = ['owner', 'member', 'other', 'planless', 'administrator', 'anonymous'];
/** Besides these, an administrator who views our account as its members see it. */
export type Actor = Role | 'viewer';

/** Hashes and keys by which a repeat of our request is found, and the hash of our owner's recovery code. */
export const PLANTED = {
  requestHash: 'planted-hash',
  idempotencyKey: 'planted-key',
  codeHash: 'planted-code',
} as const;

export interface World {
  /** The account that all others attack. */
  ours: Things;
  /** Another account, with a plan and the same kinds of things. */
  theirs: Things;
  users: Record<Exclude<Role, 'anonymous'>, string>;
  keys: Record<'ours' | 'theirs' | 'planless', string>;
  /** An account with nothing in it. */
  newcomer: { accountId: string; userId: string };
  /** A key of the other account that names our number, which no service would create. */
  crossedKeyId: string;
  /** Texts that are in our rows and nowhere else. */
  canaries: string[];
}

/** Two accounts with everything that an account can have, and the people around them. */
async function makeWorld(database: WithSql): Promise<World> {
  const { key: ourKey, ...ours } = await makeThings(database, 'Heron & Sons', '4915110000001', 40);
  const { key: theirKey, ...theirs } = await makeThings(database, 'Plover Ltd', '4915110000002', 50);
  ours.personId = await addPerson(database, ours);
  await addWhatOnlyWeHave(database, ours);
  await database.sql`
    insert into invitations (id, token_hash, account_id, role, invited_by, expires_at)
    values (${newId('invitation')}, 'of a person', ${ours.accountId}, 'member', ${ours.personId}, clock_timestamp() + interval '1 day')`;
  await indexMessages({ database }, { batch: 1 });
  await database.sql`update accounts set risk_accepted_at = clock_timestamp() where id = ${theirs.accountId}`;
  await database.sql`update users set totp_secret = 'proposed too' where id = ${theirs.userId}`;
  const person = () => signUp({ database }, { email: freshEmail(), password: PASSWORD, operator: CLI });
  const member = await person();
  await database.sql`update memberships set account_id = ${ours.accountId}, role = 'member' where user_id = ${member.userId}`;
  await database.sql`delete from accounts where id = ${member.accountId}`;
  const newcomer = await person();
  // Each account has different days, so that a leaked value is recognized.
  for (const [days, { accountId }] of [ours, theirs, newcomer].entries())
    await database.sql`update accounts set text_retention_days = ${11 + days} where id = ${accountId}`;
  const planless = await person();
  const administrator = await person();
  await database.sql`update users set admin = true where id = ${administrator.userId}`;
  const keyOf = (accountId: string, numberId: string) =>
    createApiKey({ database, accountId, actor: CLI }, { numberId });
  const idle = await makeNumber(database, { accountId: planless.accountId });
  const crossed = await keyOf(theirs.accountId, theirs.numberId);
  await database.sql`update api_keys set number_id = ${ours.numberId} where id = ${crossed.id}`;
  return {
    ours,
    theirs,
    newcomer,
    users: {
      owner: ours.userId,
      member: member.userId,
      other: theirs.userId,
      planless: planless.userId,
      administrator: administrator.userId,
    },
    keys: { ours: ourKey, theirs: theirKey, planless: (await keyOf(planless.accountId, idle)).key },
    crossedKeyId: crossed.id,
    canaries: [...Object.values(ours), 'Heron & Sons', '4915110000001'],
  };
}

/** An account with a plan, a linked number, a key, messages in several states, and what linking shows. */
async function makeThings(database: WithSql, label: string, phone: string, numbersIncluded: number) {
  const { accountId, userId, email } = await makeAccount(database, numbersIncluded);
  const things = await addThings(database, { accountId, label, phone });
  for (const status of ['sent', 'failed', 'unknown']) {
    const id = await queueMessage(database, { accountId, ...things, content: hello(label) });
    await database.sql`update messages set status = 'sending' where id = ${id}`;
    await database.sql`update messages set status = ${status}, sent_at = clock_timestamp() where id = ${id}`;
    // Some counts are kept, and some not added to them yet: both are read.
    if (status === 'failed') {
      await countStale({ database });
      await foldCounts({ database });
    }
  }
  const alertId = newId('alert');
  await database.sql`
    insert into alerts (id, event_key, account_id, number_id, kind, happened_at)
    values (${alertId}, ${`of ${label}`}, ${accountId}, ${things.numberId}, 'logged_out', clock_timestamp())`;
  await database.sql`
    insert into plan_requests (id, account_id, numbers, contact, note)
    values (${newId('planRequest')}, ${accountId}, 2, ${label}, ${label})`;
  await database.sql`
    update accounts set saved_views = ${JSON.stringify({ messages: [{ name: 'A name', query: `q=${label}` }] })}::jsonb
    where id = ${accountId}`;
  return {
    accountId,
    userId,
    personId: userId,
    email,
    alertId,
    ...things,
    ...(await signedIn(database, { userId })),
  };
}

/** A number of an account with everything that belongs to it. */
export async function addThings(
  database: WithSql,
  { accountId, label, phone }: { accountId: string; label: string; phone?: string },
): Promise<
  Pick<
    Things,
    'numberId' | 'keyId' | 'messageId' | 'invitationId' | 'endpointId' | 'eventId' | 'requestId'
  > & {
    key: string;
  }
> {
  const numberId = await makeNumber(database, { accountId, label });
  await linkAsWorker(database, { numberId, ...(phone === undefined ? {} : { phone }) });
  await database.sql`
    update leases set renewed_at = clock_timestamp() + interval '1 hour', expires_at = clock_timestamp() + interval '1 hour'
    where number_id = ${numberId}`;
  await database.sql`
    insert into number_links values (${numberId}, ${sealLinking(numberId, `QR of ${label}`)}, clock_timestamp() + interval '1 hour', null, null, clock_timestamp())
    on conflict (number_id) do update set qr = excluded.qr, qr_expires_at = excluded.qr_expires_at`;
  await database.sql`
    insert into number_groups (number_id, asked_at, answered_at, groups)
    values (${numberId}, clock_timestamp(), clock_timestamp(), ${JSON.stringify([{ id: '120363025246125486@g.us', name: label, participants: 2 }])}::jsonb)`;
  const { id: keyId, key } = await createApiKey(
    { database, accountId, actor: CLI },
    { numberId, name: label },
  );
  const endpointId = await addEndpoint(database, { accountId, numberId });
  const { eventId } = await sendTestEvent({ database, accountId, actor: CLI }, { endpointId });
  await database.sql`insert into look_ups (number_id, digits, found) values (${numberId}, ${KNOWN_PHONE}, true)`;
  await database.sql`
    insert into recipients (number_id, recipient, known_at) values (${numberId}, ${`${KNOWN_PHONE}@c.us`}, clock_timestamp())`;
  await database.sql`
    insert into recipient_checks (number_id, digits, settled_at) values (${numberId}, ${KNOWN_PHONE}, clock_timestamp())`;
  const messageId = await queueMessage(database, { accountId, numberId, keyId, content: hello(label) });
  // So that a filter by code finds it, too.
  await database.sql`update messages set error_code = 'not_connected' where id = ${messageId}`;
  const requestId = randomUUID();
  const refused = {
    ...{ accountId, numberId, keyId, messageId: null, requestId, at: new Date() },
    ...{ endpoint: 'POST /messages/text', status: 409, errorCode: 'not_connected', durationMs: 9 },
    ...{ reference: label, body: '{"to":"4915112345678"}', answer: label },
  };
  await insertRequests(database, [refused, { ...refused, requestId: randomUUID(), errorCode: 'hung_up' }]);
  const invitationId = newId('invitation');
  await database.sql`
    insert into invitations (id, token_hash, account_id, role, note, expires_at)
    values (${invitationId}, ${`hash of ${invitationId}`}, ${accountId}, 'member', ${label}, clock_timestamp() + interval '1 day')`;
  return { numberId, keyId, key, messageId, invitationId, endpointId, eventId, requestId };
}

/** A phone that each number remembers as being on WhatsApp. */
export const KNOWN_PHONE = '4915110000077';

/** A webhook endpoint of a number, of the kind that needs no plan: some of these tests end it. */
export async function addEndpoint(
  database: WithSql,
  { accountId, numberId }: { accountId: string; numberId: string },
): Promise<string> {
  const { id } = await createEndpoint({ database, accountId, actor: CLI }, { numberId, url: INSPECT_URL });
  return id;
}

/** Another member of an account. Nobody signs in as them, so no time is spent on hashing a password. */
export async function addPerson(database: WithSql, { accountId }: { accountId: string }): Promise<string> {
  const personId = newId('user');
  await database.sql`insert into users (id, email, password_hash) values (${personId}, ${freshEmail()}, 'none')`;
  await database.sql`
    insert into memberships (account_id, user_id, role) values (${accountId}, ${personId}, 'member')`;
  return personId;
}

const hello = (label: string) => ({ type: 'text', body: `${label} says hello` }) as const;

/** A number of the real network, requests that a repeat could join, and a link to reset a password. */
async function addWhatOnlyWeHave(database: WithSql, ours: Things): Promise<void> {
  const { accountId, numberId, userId, email } = ours;
  const real = await makeNumber(database, { accountId, network: 'whatsapp' });
  await database.sql`update numbers set first_linked_at = clock_timestamp() where id = ${real}`;
  await database.sql`update leases set slots = 7 where number_id = ${numberId}`;
  await database.sql`update users set totp_secret = 'proposed' where id = ${userId}`;
  await makeResetLink({ database, actor: CLI }, { email });
  const { requestHash, idempotencyKey, codeHash } = PLANTED;
  await putRecoveryCodes(database.db, { userId, codeHashes: [codeHash] });
  const keyed = await queueMessage(database, ours);
  await database.sql`update messages set idempotency_key = ${idempotencyKey} where id = ${keyed}`;
  const repeatable = await queueMessage(database, { accountId, numberId, keyId: ours.keyId });
  await database.sql`
    update messages set request_hash = ${requestHash}, caller_left_at = clock_timestamp() where id = ${repeatable}`;
  await database.sql`
    insert into alerts (id, event_key, account_id, kind, happened_at)
    values (${newId('alert')}, 'the end of our plan', ${accountId}, 'plan_ended', clock_timestamp())`;
  // Counted since the counts were last folded.
  const cancelled = await queueMessage(database, ours);
  await database.sql`update messages set status = 'cancelled' where id = ${cancelled}`;
  for (let n = 0; n < 3; n++) {
    const hungUp = await queueMessage(database, { accountId, numberId, keyId: ours.keyId });
    await database.sql`update messages set hung_up_after_ms = 9000 where id = ${hungUp}`;
  }
}

/** A separate database with the world in it, and exact copies of it. */
export class WorldDatabases implements AsyncDisposable {
  readonly #admin = postgres(inject('serverUrl'), { max: 1, onnotice: () => {} });
  readonly #prefix = `wirebird_tenancy_${randomBytes(4).toString('hex')}`;
  readonly #open = new Map<string, WithSql>();
  #copies = 0;

  /** Makes the world once; `copy` copies it. */
  async create(): Promise<World> {
    const origin = await this.#make(this.#prefix, inject('template'));
    const world = await makeWorld(origin);
    await stopClientBoss();
    await this.drop(origin, false);
    return world;
  }

  copy(): Promise<WithSql> {
    this.#copies += 1;
    return this.#make(`${this.#prefix}_${this.#copies}`, this.#prefix);
  }

  async drop(database: WithSql, forGood = true): Promise<void> {
    await database.close();
    for (const [name, open] of this.#open) {
      if (open !== database) continue;
      this.#open.delete(name);
      if (forGood) await this.#admin.unsafe(`drop database ${name} with (force)`);
    }
  }

  async #make(name: string, template: string): Promise<WithSql> {
    await this.#admin.unsafe(`create database ${name} template ${template}`);
    const url = new URL(inject('serverUrl'));
    url.pathname = `/${name}`;
    const database = withSql(openDatabase(url.href, 4));
    const { pool, bossPool, webhooksPool, forPages } = database;
    // A wait for a locked row fails: in these tests only another account's rows are locked.
    for (const { connections } of [pool, bossPool, webhooksPool, forPages.pool])
      connections.on('connect', (connection) => void connection.query({ text: "set lock_timeout = '60ms'" }));
    this.#open.set(name, database);
    return database;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const database of [...this.#open.values()]) await this.drop(database);
    await this.#admin.unsafe(`drop database if exists ${this.#prefix} with (force)`);
    await this.#admin.end();
  }
}
