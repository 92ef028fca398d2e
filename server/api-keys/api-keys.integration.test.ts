import { afterAll, describe, expect, test, vi } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import type { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { parseRecipient } from '#server/core/recipient.ts';
import { admitMessage } from '#server/messages/admission.ts';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  queueMessage,
} from '#server/testing/domain.ts';
import { identifyCaller } from './caller.ts';
import { createApiKey } from './create-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';

const database = testDatabase();
afterAll(stopClientBoss);

async function withNumber(numbersIncluded = 3) {
  const { accountId } = await makeAccount(database, numbersIncluded);
  const numberId = await makeNumber(database, { accountId, label: 'Orders' });
  return { accountId, numberId, actor: CLI };
}

describe('a key that is rotated', () => {
  test('works beside the new one for the overlap, and no longer', async () => {
    const number = await withNumber();
    const { id, key } = await createApiKey({ database, ...number }, { ...number, name: 'Shop' });
    const made = await rotateApiKey({ database, ...number }, { keyId: id, overlapHours: 2 });
    for (const one of [key, made.key])
      expect(await identifyCaller({ database }, one)).toMatchObject({ number: { id: number.numberId } });
    expect(made.oldExpiresAt.getTime() - Date.now()).toBeGreaterThan(2 * 3_600_000 - 60_000);
    expect((await listApiKeys({ database, ...number })).map(({ name }) => name)).toEqual(['Shop', 'Shop']);
    await database.sql`update api_keys set expires_at = clock_timestamp() where id = ${id}`;
    await expect(identifyCaller({ database }, key)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await identifyCaller({ database }, made.key)).toMatchObject({ keyId: made.id });
    await expect(rotateApiKey({ database, ...number }, { keyId: id, overlapHours: 2 })).rejects.toMatchObject(
      {
        code: 'invalid_parameters',
      },
    );
  });

  test('may be revoked at the same moment', async () => {
    const number = await withNumber();
    for (let round = 0; round < 20; round++) {
      const { id: keyId } = await createApiKey({ database, ...number }, number);
      const [, rotated] = await Promise.allSettled([
        revokeApiKey({ database, ...number }, { keyId }),
        rotateApiKey({ database, ...number }, { keyId, overlapHours: 2 }),
      ]);
      if (rotated.status === 'rejected') expect(rotated.reason).toMatchObject({ code: 'invalid_parameters' });
      expect(
        (await listApiKeys({ database, ...number })).find(({ id }) => id === keyId)?.revokedAt,
      ).not.toBeNull();
    }
  });

  test('without an overlap ends at once, and an earlier expiry still applies', async () => {
    const number = await withNumber();
    const first = await createApiKey({ database, ...number }, number);
    await rotateApiKey({ database, ...number }, { keyId: first.id, overlapHours: 0 });
    await expect(identifyCaller({ database }, first.key)).rejects.toMatchObject({ code: 'unauthorized' });
    const expiresAt = new Date(Date.now() + 60_000);
    const second = await createApiKey({ database, ...number }, { ...number, expiresAt });
    const made = await rotateApiKey({ database, ...number }, { keyId: second.id, overlapHours: 24 });
    expect(made.oldExpiresAt).toEqual(expiresAt);
    const other = await withNumber();
    const foreign = rotateApiKey({ database, ...other }, { keyId: made.id, overlapHours: 24 });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('the last uses of keys are written in batches, and no request waits for it', async () => {
  const KEYS = 12;
  const made: { id: string; key: string }[] = [];
  for (let i = 0; i < KEYS; i++) {
    const number = await withNumber();
    made.push(await createApiKey({ database, ...number }, number));
  }
  const ids = made.map(({ id }) => id);
  const writes = () => database.sql<{ write: string }[]>`
    select xmin::text as write from api_keys where id = any(${ids}) and last_used_at is not null`;
  await Promise.all(
    Array.from({ length: 8 }, () => made.map(({ key }) => identifyCaller({ database }, key))).flat(),
  );
  await vi.waitFor(async () => expect(await writes()).toHaveLength(KEYS), { timeout: 40_000, interval: 100 });
  // A slow machine needs a few batches. Without batches, each key has its own write.
  expect(new Set((await writes()).map(({ write }) => write)).size).toBeLessThan(KEYS / 2);
});

describe('an API key', () => {
  test('needs no plan, opens its number, and says so in the audit log', async () => {
    const number = await withNumber(0);
    const made = await createApiKey({ database, ...number }, { ...number, name: ' Shop ' });
    expect(made.key).toMatch(/^wsk_test_/);
    expect(await identifyCaller({ database }, made.key)).toMatchObject({
      keyId: made.id,
      accountId: number.accountId,
      access: 'none',
      number: { id: number.numberId },
    });
    expect(await listApiKeys({ database, ...number })).toEqual([
      {
        id: made.id,
        name: 'Shop',
        hint: made.hint,
        numberId: number.numberId,
        numberLabel: 'Orders',
        phoneNumber: null,
        network: 'sandbox',
        numberRemoved: false,
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        createdAt: expect.any(Date),
        hangUps: null,
      },
    ]);
    const { rows } = await listAudit({ database }, { accountId: number.accountId, limit: 1 });
    expect(rows[0]).toMatchObject({ action: 'key.create', target: made.id, detail: { hint: made.hint } });
  });

  test('is not in the database, neither its secret nor a part of it', async () => {
    const number = await withNumber(0);
    const { key } = await createApiKey({ database, ...number }, number);
    const secretPart = key.slice('wsk_test_'.length + 26, -6);
    const tables = await database.sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`;
    for (const { name } of tables) {
      const rows = await database.sql.unsafe(`select t::text as line from ${name} t`);
      for (const row of rows) expect(row.line, name).not.toContain(secretPart.slice(0, 12));
    }
    expect(tables.length).toBeGreaterThan(10);
  });

  test('that is mistyped, unknown or expired gives no access', async () => {
    const number = await withNumber();
    const { key, id } = await createApiKey(
      { database, ...number },
      { ...number, expiresAt: new Date(Date.now() + 60_000) },
    );
    await identifyCaller({ database }, key);
    const last = key.slice(-7, -6) === 'x' ? 'y' : 'x';
    for (const wrong of [`${key.slice(0, -7)}${last}${key.slice(-6)}`, key.replace('test', 'live'), ''])
      await expect(identifyCaller({ database }, wrong)).rejects.toMatchObject({ code: 'unauthorized' });
    await database.sql`update api_keys set expires_at = now() where id = ${id}`;
    await expect(identifyCaller({ database }, key)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('expires by the database’s clock, however wrong that of the process is', async () => {
    const number = await withNumber(0);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const create = (expiresAt: Date) => createApiKey({ database, ...number }, { ...number, expiresAt });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    try {
      expect((await create(inAnHour)).id).toMatch(/^key_/);
      vi.setSystemTime(Date.now() - 14_400_000);
      await expect(create(anHourAgo)).rejects.toMatchObject({ code: 'invalid_parameters' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('cannot be created with an expiry in the past', async () => {
    const number = await withNumber(0);
    for (const expiresAt of [new Date(0), new Date(Number.NaN)])
      await expect(createApiKey({ database, ...number }, { ...number, expiresAt })).rejects.toMatchObject({
        code: 'invalid_parameters',
      });
  });

  test('of a removed number stays valid until it is revoked', async () => {
    const number = await withNumber();
    const { key } = await createApiKey({ database, ...number }, number);
    await removeNumber({ database, ...number }, number);
    expect(await identifyCaller({ database }, key)).toMatchObject({ number: null });
    expect(await listApiKeys({ database, ...number })).toMatchObject([
      { numberRemoved: true, revokedAt: null },
    ]);
    await expect(createApiKey({ database, ...number }, number)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a revoked key', () => {
  test('is refused as soon as the revocation commits, and only its own waiting messages are cancelled', async () => {
    const number = await withNumber();
    const made = await createApiKey({ database, ...number }, number);
    const other = await createApiKey({ database, ...number }, number);
    const own = await queueMessage(database, { ...number, keyId: made.id });
    const others = await queueMessage(database, { ...number, keyId: other.id });
    const revoke = { accountId: number.accountId, keyId: made.id, actor: CLI };
    expect(await revokeApiKey({ database, ...revoke }, revoke)).toMatchObject({
      id: made.id,
      revokedAt: expect.any(Date),
    });
    await expect(identifyCaller({ database }, made.key)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await messageState(database, own)).toEqual({
      status: 'cancelled',
      errorCode: 'key_revoked',
      error: 'This message was not sent: its API key was revoked. To send it, use another key.',
      events: ['accepted', 'cancelled'],
    });
    expect(await messageState(database, others)).toMatchObject({ status: 'queued' });
    const first = await revokeApiKey({ database, ...revoke }, revoke);
    expect(await revokeApiKey({ database, ...revoke }, revoke)).toEqual(first);
    const { rows } = await listAudit({ database }, { accountId: number.accountId, limit: 50 });
    expect(rows.filter((row) => row.action === 'key.revoke')).toMatchObject([{ detail: { cancelled: 1 } }]);
  });

  test('leaves no message waiting, even when its last requests race with the revocation', async () => {
    const number = await withNumber();
    await linkAsWorker(database, number);
    for (let round = 0; round < 10; round++) {
      const { id: keyId } = await createApiKey({ database, ...number }, number);
      const recipient = parseRecipient(`49152288173${10 + round}`);
      if (!recipient) throw new Error('not a recipient');
      const admit = () =>
        admitMessage({ database, ...number, keyId }, newId('message'), {
          recipient,
          content: { type: 'text', body: `round ${round}` },
          mode: { kind: 'async', expiresInSeconds: 60 },
          idempotencyKey: null,
          requestId: null,
          requestHash: null,
          reference: null,
          arrivedAtMs: performance.now(),
        });
      const outcomes = await Promise.allSettled([
        admit(),
        revokeApiKey({ database, accountId: number.accountId, actor: CLI }, { keyId }),
        admit(),
        admit(),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect((outcome.reason as AppError).code).toBe('unauthorized');
      expect(
        await database.sql`select 1 from messages where api_key_id = ${keyId} and status <> 'cancelled'`,
      ).toHaveLength(0);
    }
  });
});

test('a number has at most a hundred active keys, also when they are created at the same moment', async () => {
  const number = await withNumber();
  const made: { id: string }[] = [];
  while (made.length < 95) made.push(await createApiKey({ database, ...number }, number));
  const tries = await Promise.allSettled(
    Array.from({ length: 8 }, () => createApiKey({ database, ...number }, number)),
  );
  made.push(...tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(made).toHaveLength(100);
  for (const error of refused)
    expect(error).toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringContaining('This number has 100 active keys'),
    });
  const [first, second, third] = made;
  if (!first || !second || !third) throw new Error('a hundred were made');
  // With an overlap both would work; without one the new key takes the place of the old one.
  await expect(
    rotateApiKey({ database, ...number }, { keyId: first.id, overlapHours: 1 }),
  ).rejects.toMatchObject({ code: 'invalid_parameters' });
  await rotateApiKey({ database, ...number }, { keyId: first.id, overlapHours: 0 });
  await revokeApiKey({ database, ...number }, { keyId: second.id });
  await database.sql`update api_keys set expires_at = clock_timestamp() where id = ${third.id}`;
  for (let i = 0; i < 2; i++) await createApiKey({ database, ...number }, number);
  await expect(createApiKey({ database, ...number }, number)).rejects.toMatchObject({
    code: 'invalid_parameters',
  });
  const other = await withNumber();
  await createApiKey({ database, ...other }, other);
});
