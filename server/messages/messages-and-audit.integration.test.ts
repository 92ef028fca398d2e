import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { audit, listAudit } from '#server/accounts/audit.ts';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { exportAccount } from '#server/accounts/export-account.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { rotateApiKey } from '#server/api-keys/rotate-api-key.ts';
import { because } from '#server/core/message-outcome.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { setSendInterval } from '#server/numbers/number-settings.ts';
import { unlinkNumber } from '#server/numbers/unlink-number.ts';
import { endAllSignIns, endSignIn, signIn } from '#server/people/sign-in.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  IN_A_MONTH,
  makeAccount,
  makeNumber,
  messageState,
  PASSWORD,
  queueMessage,
} from '#server/testing/domain.ts';
import { getMessageDetail } from './get-message.ts';
import { listMessages } from './list-messages.ts';
import { cancelWaiting } from './queries/cancel-waiting.ts';

const database = testDatabase();
afterAll(stopClientBoss);

async function withNumber() {
  const { accountId } = await makeAccount(database, 0);
  return { accountId, numberId: await makeNumber(database, { accountId, label: 'Orders' }) };
}

describe('the message list', () => {
  test('is sorted newest first, in pages that neither repeat nor skip a message', async () => {
    const number = await withNumber();
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.unshift(await queueMessage(database, number));
    const seen: string[] = [];
    let before: number | undefined;
    for (;;) {
      const { rows, next } = await listMessages(
        { database, ...number },
        { numberId: number.numberId, before, limit: 3 },
      );
      seen.push(...rows.map((row) => row.id));
      if (next === null) break;
      before = next;
      await queueMessage(database, number);
    }
    expect(seen).toEqual(ids);
  });

  test('shows a preview of each kind, and none of an erased message', async () => {
    const number = await withNumber();
    await queueMessage(database, {
      ...number,
      content: { type: 'text', body: `a\n\tb ${'🐦'.repeat(300)}` },
    });
    await queueMessage(database, {
      ...number,
      content: { type: 'image', url: 'https://x.example/i', caption: 'Cat' },
    });
    await queueMessage(database, {
      ...number,
      content: { type: 'document', url: 'https://x.example/d', filename: 'a.pdf', caption: 'Bill' },
    });
    await queueMessage(database, { ...number, content: { type: 'location', latitude: 1.5, longitude: -2 } });
    await queueMessage(database, {
      ...number,
      content: { type: 'contact', contactName: 'Ann', contactPhone: '4915228817386' },
    });
    await queueMessage(database, { ...number, content: { type: 'audio', url: 'https://x.example/a' } });
    const erased = await queueMessage(database, number);
    await database.sql`update messages set content = null where id = ${erased}`;
    await database.sql`update messages set set_aside = true, send_at = '2030-01-01T08:00:00Z' where number_id = ${number.numberId}`;
    const { rows } = await listMessages({ database, ...number }, { numberId: number.numberId, limit: 10 });
    expect(rows.map((row) => row.preview)).toEqual([
      null,
      '',
      'Ann',
      '1.5, -2',
      'a.pdf: Bill',
      'Cat',
      `a b ${'🐦'.repeat(155)}…`,
    ]);
    expect(rows[6]).toEqual({
      id: expect.stringMatching(/^msg_/),
      seq: expect.any(Number),
      numberId: number.numberId,
      numberLabel: 'Orders',
      to: '4915228817386@c.us',
      type: 'text',
      status: 'queued',
      lane: 'async',
      setAside: true,
      sendAt: new Date('2030-01-01T08:00:00Z'),
      preview: expect.any(String),
      error: null,
      createdAt: expect.any(Date),
      sentAt: null,
      settledAt: null,
      sentAgainAs: null,
      laterSent: null,
    });
  });

  test('is filtered by number, state, kind, recipient, id and words, and takes % and _ literally', async () => {
    const number = await withNumber();
    const other = { ...number, numberId: await makeNumber(database, number) };
    const text = await queueMessage(database, {
      ...number,
      content: { type: 'text', body: 'Rebate of 10 % for type_A' },
      recipient: '120363025246125486@g.us',
    });
    const card = await queueMessage(database, {
      ...other,
      content: { type: 'contact', contactName: 'Zoë', contactPhone: '4915228817386' },
    });
    await cancelWaiting(database.db, { ...other, errorCode: 'cancelled_by_person' });
    const found = async (filter: Partial<Parameters<typeof listMessages>[1]>) =>
      (await listMessages({ database, accountId: number.accountId }, { limit: 10, ...filter })).rows.map(
        (row) => row.id,
      );
    expect(await found({})).toEqual([card, text]);
    expect(await found({ numberId: other.numberId })).toEqual([card]);
    expect(await found({ status: 'queued' })).toEqual([text]);
    expect(await found({ type: 'contact' })).toEqual([card]);
    expect(await found({ search: ' 2030252 ' })).toEqual([]);
    expect(await found({ search: '363025' })).toEqual([text]);
    expect(await found({ search: 'ZOË' })).toEqual([card]);
    expect(await found({ search: card })).toEqual([card]);
    expect(await found({ search: '10 %' })).toEqual([text]);
    expect(await found({ search: 'type_a' })).toEqual([text]);
    expect(await found({ search: '1_%' })).toEqual([]);
    expect(await found({ search: 'contactName' })).toEqual([]);
    expect(await found({ search: card.slice(0, 12) })).toContain(card);
    expect(await found({ errorCode: 'cancelled_by_person' })).toEqual([card]);
    expect(await found({ errorCode: 'no_such_code' })).toEqual([]);
    const [{ id: keyId }, requestId] = [
      await createApiKey({ database, ...number, actor: CLI }, { ...number, name: 'Till' }),
      randomUUID(),
    ];
    await database.sql`update messages set api_key_id = ${keyId}, request_id = ${requestId} where id = ${text}`;
    expect(await found({ keyId })).toEqual([text]);
    expect(await found({ search: requestId.toUpperCase() })).toEqual([text]);
    expect(await found({ search: randomUUID() })).toEqual([]);
    const person = await queueMessage(database, { ...number, recipient: '4917604069012@c.us' });
    expect(await found({ search: '+49 176 0406 9012' })).toEqual([person]);
  });

  test('is filtered by day, and returns of given ids the account’s messages that match the filters', async () => {
    const number = await withNumber();
    const [old, fresh, cancelled] = [
      await queueMessage(database, number),
      await queueMessage(database, number),
      await queueMessage(database, number),
    ];
    const foreign = await queueMessage(database, await withNumber());
    await database.sql`update messages set created_at = '2026-03-29 22:30:00Z' where id = ${old}`;
    await cancelWaiting(database.db, {
      ...number,
      ...{ messageId: cancelled, errorCode: 'cancelled_by_person' },
    });
    const found = async (filter: Partial<Parameters<typeof listMessages>[1]>) =>
      (
        await listMessages({ database, ...number }, { numberId: number.numberId, limit: 10, ...filter })
      ).rows.map((row) => row.id);
    const day = { since: new Date('2026-03-28T23:00:00Z'), until: new Date('2026-03-29T22:30:00Z') };
    expect(await found(day)).toEqual([]);
    expect(await found({ ...day, until: new Date('2026-03-29T22:30:00.001Z') })).toEqual([old]);
    const ids = [old, cancelled, foreign];
    expect(await found({ ids })).toEqual([cancelled, old]);
    expect(await found({ ids, status: 'queued' })).toEqual([old]);
    expect(await found({ ids: [] })).toEqual([]);
    expect(await found({})).toEqual([cancelled, fresh, old]);
  });
});

describe('a message', () => {
  test('shows its key, its content and its timeline', async () => {
    const number = await withNumber();
    const key = await createApiKey({ database, ...number, actor: CLI }, { ...number, name: 'Shop' });
    const messageId = await queueMessage(database, { ...number, keyId: key.id });
    await cancelWaiting(database.db, {
      ...number,
      ...because('cancelled_by_person', 'inQueue'),
    });
    expect(await getMessageDetail({ database, ...number }, { messageId })).toMatchObject({
      id: messageId,
      network: 'sandbox',
      keyId: key.id,
      keyName: 'Shop',
      keyHint: key.hint,
      content: { type: 'text', body: 'Good morning' },
      status: 'cancelled',
      error: 'Cancelled in the dashboard while it waited. It was not sent.',
      settledAt: expect.any(Date),
      timeline: [
        { event: 'accepted', detail: null, at: expect.any(Date) },
        { event: 'cancelled', detail: 'cancelled_by_person', at: expect.any(Date) },
      ],
    });
  });

  test('is cancelled only while it waits, and only by its own account', async () => {
    const number = await withNumber();
    const [waiting, sending, other] = [
      await queueMessage(database, number),
      await queueMessage(database, number),
      await queueMessage(database, number),
    ];
    await database.sql`update messages set status = 'sending' where id = ${sending}`;
    const errorCode = 'cancelled_by_person';
    expect(await cancelWaiting(database.db, { ...number, errorCode, messageId: waiting })).toBe(1);
    expect(await cancelWaiting(database.db, { ...number, errorCode, messageId: sending })).toBe(0);
    expect(await messageState(database, sending)).toMatchObject({ status: 'sending', events: ['accepted'] });
    expect(await messageState(database, other)).toMatchObject({ status: 'queued' });
    expect(await cancelWaiting(database.db, { errorCode, accountId: 'acc_none' })).toBe(0);
    expect(await cancelWaiting(database.db, { ...number, errorCode })).toBe(1);
  });
});

describe('the audit log', () => {
  test('is listed in pages, newest first, for one account or for all', async () => {
    const { accountId } = await makeAccount(database, 0);
    const entry = { actor: CLI, accountId, action: 'test.step', target: null };
    for (let n = 1; n <= 5; n++) await audit(database.db, { ...entry, detail: { n } });
    const first = await listAudit({ database }, { accountId, limit: 3 });
    expect(first.rows.map((row) => row.detail)).toEqual([{ n: 5 }, { n: 4 }, { n: 3 }]);
    const second = await listAudit({ database }, { accountId, before: first.next ?? 0, limit: 3 });
    expect(second.rows.map((row) => row.action)).toEqual(['test.step', 'test.step', 'account.create']);
    expect(second.next).toBeNull();
    const all = await listAudit({ database }, { limit: 1000 });
    expect(new Set(all.rows.map((row) => row.accountId)).size).toBeGreaterThan(1);
  });

  test('is filtered by actor, action and time', async () => {
    const { accountId, userId, email } = await makeAccount(database, 0);
    const actor = { kind: 'user', userId, address: '203.0.113.77' } as const;
    const entry = { accountId, target: null, detail: null };
    await audit(database.db, { ...entry, actor, action: 'key.create' });
    await audit(database.db, { ...entry, actor: CLI, action: 'key.revoke' });
    await audit(database.db, { ...entry, actor, action: 'keys_of_another_kind' });
    const found = async (filter: object) =>
      (await listAudit({ database }, { accountId, ...filter, limit: 10 })).rows.map((row) => row.action);
    expect(await found({ action: 'key.' })).toEqual(['key.revoke', 'key.create']);
    expect(await found({ action: 'key.create' })).toEqual(['key.create']);
    for (const who of [userId, email.slice(0, 12).toUpperCase(), '203.0.113.77'])
      expect(await found({ actor: who, action: 'key.' })).toEqual(['key.create']);
    expect(await found({ actor: 'cli', action: 'key.' })).toEqual(['key.revoke']);
    expect(await found({ actor: '%' })).toEqual([]);
    const ofAccount = async (account: string) =>
      (await listAudit({ database }, { account, action: 'key.', limit: 10 })).rows.map((row) => row.action);
    for (const account of [accountId, email.slice(0, 12).toUpperCase()])
      expect(await ofAccount(account)).toEqual(['key.revoke', 'key.create']);
    expect(await ofAccount('%')).toEqual([]);
    const [created] = (await listAudit({ database }, { accountId, action: 'key.create', limit: 1 })).rows;
    const at = created?.at ?? new Date();
    expect(await found({ action: 'key.', since: at })).toEqual(['key.revoke', 'key.create']);
    expect(await found({ action: 'key.', since: at, until: new Date(at.getTime() + 1) })).toContain(
      'key.create',
    );
    expect(await found({ action: 'key.', until: at })).toEqual([]);
  });

  test('contains sign-ins, keys, linking, the interval, plan, export and deletion, each with who, from where and when', async () => {
    const { accountId } = await makeAccount(database, 0);
    const { email, userId } = await makeAccount(database, 0);
    const address = '203.0.113.78';
    const actor = { kind: 'user', userId, address } as const;
    const of = { accountId, actor };
    const opened = await signIn({ database, address }, { email, password: PASSWORD, userAgent: null });
    await endSignIn({ database, userId, actor }, { signInId: opened?.signInId ?? '' });
    await endAllSignIns({ database, userId, actor });
    await activatePlan({ database, ...of }, { numbersIncluded: 1, paidUntil: IN_A_MONTH });
    const ofNumber = { ...of, numberId: await makeNumber(database, { accountId, label: 'Workshop' }) };
    const { id: keyId } = await createApiKey({ database, ...ofNumber }, ofNumber);
    const { id: newKeyId } = await rotateApiKey({ database, ...of }, { keyId, overlapHours: 1 });
    await revokeApiKey({ database, ...of }, { keyId });
    await setSendInterval({ database, ...ofNumber }, { ...ofNumber, sendIntervalSeconds: 60 });
    await openLinking({ database, ...ofNumber }, ofNumber);
    await unlinkNumber({ database, ...ofNumber }, ofNumber);
    await (await exportAccount({ database, ...of })).parts.next();
    await deactivatePlan({ database, ...of });
    const { rows } = await listAudit({ database }, { actor: address, limit: 50 });
    const { numberId } = ofNumber;
    expect(rows.reverse().map(({ action, target }) => [action, target])).toEqual([
      ['user.sign_in', userId],
      ['user.sign_out', userId],
      ['user.sign_out_all', userId],
      ['plan.activate', accountId],
      ['key.create', keyId],
      ['key.create', newKeyId],
      ['key.rotate', keyId],
      ['key.revoke', keyId],
      ['number.interval', numberId],
      ['number.link', numberId],
      ['number.unlink', numberId],
      ['account.export', accountId],
      ['plan.deactivate', accountId],
    ]);
    expect(rows.find(({ action }) => action === 'number.link')?.targetName).toBe('Workshop');
    expect(rows.find(({ action }) => action === 'user.sign_in')?.targetName).toBe(email);
    for (const row of rows)
      expect(row).toMatchObject({
        actor: 'user',
        actorId: userId,
        actorEmail: email,
        address,
        at: expect.any(Date),
      });
    // A key has its name, too.
    const byKey = { actor: { kind: 'key', keyId }, action: 'webhook.create', target: keyId } as const;
    await audit(database.db, { ...byKey, accountId, detail: null });
    const [ofKey] = (await listAudit({ database }, { accountId, limit: 1 })).rows;
    expect([ofKey?.actorName, ofKey?.targetName]).toEqual(['API key', 'API key']);
    // Like everybody else who acted in the account, the person who deletes it is not named.
    await deleteAccount({ database, ...of }, { accountName: null });
    const [deletion] = (await listAudit({ database }, { accountId, limit: 1 })).rows;
    const nobody = { actor: 'user', actorId: expect.stringMatching(/^erased-/), address: null };
    expect(deletion).toMatchObject({ action: 'account.delete', target: accountId, ...nobody });
    expect(deletion?.at).toEqual(expect.any(Date));
  });

  test('accepts new entries, and no change or deletion', async () => {
    const { accountId } = await makeAccount(database, 0);
    await expect(
      database.sql`update audit_log set action = 'x' where account_id = ${accountId}`,
    ).rejects.toThrow('append-only');
    await expect(database.sql`delete from audit_log where account_id = ${accountId}`).rejects.toThrow(
      'append-only',
    );
  });
});
