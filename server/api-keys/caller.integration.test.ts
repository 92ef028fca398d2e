import { afterAll, describe, expect, test } from 'vitest';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { identifyCaller } from './caller.ts';
import { createApiKey } from './create-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const database = testDatabase();
afterAll(stopClientBoss);

describe('a key of a number', () => {
  test('is refused from its revocation on, however many requests arrive at once', async () => {
    const { accountId } = await makeAccount(database, 1);
    const numberId = await makeNumber(database, { accountId });
    const { key, id: keyId } = await createApiKey({ database, accountId, actor: CLI }, { numberId });
    const many = () =>
      Promise.allSettled(Array.from({ length: 50 }, () => identifyCaller({ database }, key)));
    const before = many();
    expect(new Set((await before).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
    const meanwhile = many();
    await revokeApiKey({ database, accountId, actor: CLI }, { keyId });
    const after = many();
    expect(new Set((await after).map(({ status }) => status))).toEqual(new Set(['rejected']));
    await meanwhile;
  });

  test('gives access to its own number only, also when other keys are used at the same moment', async () => {
    const { accountId } = await makeAccount(database, 3);
    const keys = await Promise.all(
      [1, 2, 3].map(async () => {
        const numberId = await makeNumber(database, { accountId });
        const { key } = await createApiKey({ database, accountId, actor: CLI }, { numberId });
        return { key, numberId };
      }),
    );
    const unknown = `${keys[0]?.key.slice(0, -1)}${keys[0]?.key.endsWith('a') ? 'b' : 'a'}`;
    const [refused, ...callers] = await Promise.allSettled([
      identifyCaller({ database }, unknown),
      ...[...keys, ...keys].map(({ key }) => identifyCaller({ database }, key)),
    ]);
    expect(refused?.status).toBe('rejected');
    expect(callers.map((caller) => (caller.status === 'fulfilled' ? caller.value.number?.id : null))).toEqual(
      [...keys, ...keys].map(({ numberId }) => numberId),
    );
  });

  test('that was never linked has access, whichever numbers the owner chose to keep', async () => {
    const { accountId } = await makeAccount(database, 1);
    const accessOf = async (numberId: string) => {
      const { key } = await createApiKey({ database, accountId, actor: CLI }, { numberId });
      return (await identifyCaller({ database }, key)).access;
    };
    const kept = await makeNumber(database, { accountId });
    await linkAsWorker(database, { numberId: kept });
    await database.sql`update numbers set kept = true where id = ${kept}`;
    const never = await makeNumber(database, { accountId });
    expect(await accessOf(never)).toBe('ok');
    await linkAsWorker(database, { numberId: never });
    expect([await accessOf(kept), await accessOf(never)]).toEqual(['ok', 'excess']);
  });
});
