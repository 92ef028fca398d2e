import { expect, test } from 'vitest';
import { HOW_TO_PAY_CHARS_MAX, type HowToPay, howToPay, setHowToPay } from '#server/plans/how-to-pay.ts';
import { usageOf } from '#server/plans/usage.ts';
import { settings } from '#server/settings.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { accountSettings, renameAccount, setTimeZone } from './account-settings.ts';
import { listAudit } from './audit.ts';

const database = testDatabase();

const logOf = async (accountId: string) =>
  (await listAudit({ database }, { accountId, limit: 50 })).rows.map(({ action, detail }) => ({
    action,
    detail,
  }));

test('renaming an account adds one audit entry without the names, and the name is one line', async () => {
  const { accountId } = await makeAccount(database);
  const of = { accountId, actor: CLI };
  await renameAccount({ database, ...of }, { name: '  Nord\nlicht  GmbH ' });
  await renameAccount({ database, ...of }, { name: 'Nord licht GmbH' });
  expect(await accountSettings({ database, accountId })).toEqual({
    name: 'Nord licht GmbH',
    timeZone: null,
    installationTimeZone: settings.timeZone,
  });
  expect((await logOf(accountId)).filter(({ action }) => action === 'account.rename')).toEqual([
    { action: 'account.rename', detail: null },
  ]);
  for (const name of [' \u200b\n', 'x'.repeat(101)])
    await expect(renameAccount({ database, ...of }, { name })).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
  await expect(
    renameAccount({ database, ...of, accountId: 'acc_none' }, { name: 'X' }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('every time zone on the page is accepted, and nothing else', async () => {
  const { accountId } = await makeAccount(database);
  const of = { accountId, actor: CLI };
  const known = await database.sql<{ name: string }[]>`select name from pg_timezone_names`;
  const names = new Set(known.map(({ name }) => name));
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => !names.has(zone))).toEqual([]);

  await setTimeZone({ database, ...of }, { timeZone: 'Asia/Tokyo' });
  expect(await setTimeZone({ database, ...of }, { timeZone: 'Asia/Tokyo' })).toMatchObject({
    timeZone: 'Asia/Tokyo',
  });
  for (const timeZone of ['Mars/Olympus', '+02:00', '', 'europe/berlin'])
    await expect(setTimeZone({ database, ...of }, { timeZone })).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
  expect(await setTimeZone({ database, ...of }, { timeZone: null })).toMatchObject({ timeZone: null });
  expect((await logOf(accountId)).filter(({ action }) => action === 'account.time_zone')).toEqual([
    { action: 'account.time_zone', detail: { from: 'Asia/Tokyo', to: null } },
    { action: 'account.time_zone', detail: { from: null, to: 'Asia/Tokyo' } },
  ]);
});

test('usage counts messages by outcome, for the month in the account’s time zone', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const timeZone = 'Pacific/Kiritimati';
  await setTimeZone({ database, accountId, actor: CLI }, { timeZone });
  const ending = async (status: string, at: string) => {
    const id = await queueMessage(database, { accountId, numberId });
    if (status !== 'queued' && status !== 'cancelled')
      await database.sql`update messages set status = 'sending' where id = ${id}`;
    await database.sql.unsafe(
      `update messages set status = $1, created_at = date_trunc('month', now(), $2) ${at} where id = $3`,
      [status, timeZone, id],
    );
  };
  for (const status of ['sent', 'delivered', 'failed', 'unknown', 'cancelled', 'queued', 'sending'])
    await ending(status, '');
  await ending('sent', "- interval '1 second'");
  const [row] = await database.sql<{ month: string }[]>`
    select to_char(now() at time zone ${timeZone}, 'YYYY-MM') as month`;
  const counted = { sent: 2, failed: 1, unknown: 1, notSent: 1, open: 2, month: row?.month, timeZone };
  expect(await usageOf({ database, accountId })).toEqual(counted);

  // Retention deletes messages, and they stay counted.
  await database.sql`delete from messages where account_id = ${accountId} and status not in ('queued', 'sending')`;
  expect(await usageOf({ database, accountId })).toEqual(counted);
});

test('the payment instructions are the operator’s plain text, line by line, without invisible characters', async () => {
  const nobody = { contactName: '', contactAddress: '' };
  const set = (input: Partial<HowToPay>) =>
    setHowToPay({ database, actor: CLI }, { text: '', ...nobody, ...input });
  expect(await howToPay({ database })).toEqual({ text: '', ...nobody });
  await set({ text: ' Transfer to\r\nDE89\u202e 3704\u0000\n\n<b>Thanks</b> ' });
  const text = 'Transfer to\nDE89 3704\n\n<b>Thanks</b>';
  expect(await howToPay({ database })).toEqual({ text, ...nobody });
  await expect(set({ text: 'x'.repeat(HOW_TO_PAY_CHARS_MAX + 1) })).rejects.toMatchObject({
    code: 'invalid_parameters',
  });
  const contact = { contactName: 'Ada Nord', contactAddress: 'ada@example.com' };
  await set({ text, ...contact, contactName: ' Ada\nNord ' });
  expect(await howToPay({ database })).toEqual({ text, ...contact });
  // A page that shows earlier instructions does not bring them back.
  const stale = setHowToPay(
    { database, actor: CLI },
    { text: 'Transfer to DE00', ...contact, seen: { text, ...nobody } },
  );
  await expect(stale).rejects.toThrow('Another administrator has changed this');
  expect(await howToPay({ database })).toEqual({ text, ...contact });
  await expect(set({ text, contactName: 'Ada Nord' })).rejects.toThrow(
    'Enter an email address or a phone number for the contact.',
  );
  await set({});
  await set({});
  expect(await howToPay({ database })).toEqual({ text: '', ...nobody });
  const { rows } = await listAudit({ database }, { limit: 50 });
  expect(rows.filter(({ action }) => action === 'installation.how_to_pay')).toMatchObject([
    { accountId: null, detail: { characters: 0, contact: false } },
    { accountId: null, detail: { characters: 36, contact: true } },
    { accountId: null, detail: { characters: 36, contact: false } },
  ]);
});
