import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { listApiKeys } from '#server/api-keys/list-api-keys.ts';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { AppError } from '#server/core/errors.ts';
import { getMessageDetail } from '#server/messages/get-message.ts';
import { listMessages } from '#server/messages/list-messages.ts';
import { getNumber, listNumbers, numberHistory } from '#server/numbers/get-number.ts';
import { holdNumber, releaseNumber } from '#server/numbers/hold-number.ts';
import { cancelLinking, linkingView, openLinking } from '#server/numbers/link-number.ts';
import { setLabel, setSendInterval } from '#server/numbers/number-settings.ts';
import { removeNumber, unlinkNumber } from '#server/numbers/unlink-number.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { listAudit } from './audit.ts';

const database = testDatabase();
/** The ids of one account's objects, and another account that also has a plan. */
let theirs: { accountId: string; numberId: string; keyId: string; messageId: string };
let stranger: string;

beforeAll(async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  const { id: keyId } = await createApiKey({ database, accountId, actor: CLI }, { numberId });
  const messageId = await queueMessage(database, { accountId, numberId, keyId });
  theirs = { accountId, numberId, keyId, messageId };
  stranger = (await makeAccount(database)).accountId;
});
afterAll(stopClientBoss);

/** Every use case that takes an id, called for an account. */
const byId: Record<string, (accountId: string, ids: typeof theirs) => Promise<unknown>> = {
  getNumber: (accountId, { numberId }) => getNumber({ database, accountId }, { numberId }),
  linkingView: (accountId, { numberId }) => linkingView({ database, accountId }, { numberId }),
  numberHistory: (accountId, { numberId }) => numberHistory({ database, accountId }, { numberId }),
  getMessageDetail: (accountId, { messageId }) => getMessageDetail({ database, accountId }, { messageId }),
  openLinking: (accountId, { numberId }) => openLinking({ database, accountId, actor: CLI }, { numberId }),
  cancelLinking: (accountId, { numberId }) =>
    cancelLinking({ database, accountId, actor: CLI }, { numberId }),
  unlinkNumber: (accountId, { numberId }) => unlinkNumber({ database, accountId, actor: CLI }, { numberId }),
  removeNumber: (accountId, { numberId }) => removeNumber({ database, accountId, actor: CLI }, { numberId }),
  setSendInterval: (accountId, { numberId }) =>
    setSendInterval({ database, accountId, actor: CLI }, { numberId, sendIntervalSeconds: 99 }),
  setLabel: (accountId, { numberId }) =>
    setLabel({ database, accountId, actor: CLI }, { numberId, label: 'mine now' }),
  holdNumber: (accountId, { numberId }) => holdNumber({ database, accountId, actor: CLI }, { numberId }),
  releaseNumber: (accountId, { numberId }) =>
    releaseNumber({ database, accountId, actor: CLI }, { numberId }),
  createApiKey: (accountId, { numberId }) => createApiKey({ database, accountId, actor: CLI }, { numberId }),
  revokeApiKey: (accountId, { keyId }) => revokeApiKey({ database, accountId, actor: CLI }, { keyId }),
};

async function everything() {
  const of = { accountId: theirs.accountId };
  return JSON.stringify([
    await database.sql`select * from numbers order by id`,
    await database.sql`select * from api_keys order by id`,
    await database.sql`select * from messages order by id`,
    await database.sql`select * from number_events order by id`,
    await listAudit({ database }, { ...of, limit: 100 }),
  ]);
}

describe('another account', () => {
  test.each(Object.keys(byId))(
    'gets the same answer from %s as for a missing id, and changes nothing',
    async (name) => {
      const call = byId[name];
      if (!call) throw new Error(name);
      const before = await everything();
      const missing = { accountId: '', numberId: 'num_none', keyId: 'key_none', messageId: 'msg_none' };
      const errors: unknown[] = [];
      for (const ids of [theirs, missing]) await call(stranger, ids).catch((error) => errors.push(error));
      expect(errors).toHaveLength(2);
      for (const error of errors) expect(error).toBeInstanceOf(AppError);
      const [foreign, none] = errors as [AppError, AppError];
      expect(foreign.code).toBe('not_found');
      expect([foreign.code, foreign.message, foreign.details]).toEqual([
        none.code,
        none.message,
        none.details,
      ]);
      expect(await everything()).toBe(before);
    },
  );

  test('finds no foreign row in its own lists', async () => {
    const of = { accountId: stranger };
    expect(await listNumbers({ database, ...of })).toEqual([]);
    expect(await listApiKeys({ database, ...of })).toEqual([]);
    expect(await listMessages({ database, ...of }, { limit: 10 })).toEqual({ rows: [], next: null });
    expect(await listMessages({ database, ...of }, { search: theirs.messageId, limit: 10 })).toEqual({
      rows: [],
      next: null,
    });
    expect(await listMessages({ database, ...of }, { numberId: theirs.numberId, limit: 10 })).toEqual({
      rows: [],
      next: null,
    });
    const { rows } = await listAudit({ database }, { ...of, limit: 100 });
    expect([...new Set(rows.map(({ accountId }) => accountId))]).toEqual([stranger]);
  });
});
