import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { PASSKEY_CAUSES } from '#server/core/number/machine.ts';
import { PASSKEY_MS, type PasskeyAssertion, PasskeyRequest } from '#server/core/passkey.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { cancelLinking, linkingView, openLinking } from '#server/numbers/link-number.ts';
import { answerPasskey, continuePasskey, passkeyToSign } from '#server/numbers/passkey.ts';
import { forgetLinkingCodes } from '#server/numbers/queries/linking-codes.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** A number whose linking asks for a passkey, and what its owner does about it. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const me = { userId: 'usr_me', signInId: 'sgn_mine' };
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');
const requestOf = (text: string) =>
  PasskeyRequest.parse({ challenge: base64url(text), rpId: 'whatsapp.com' });

function signed({ challenge }: PasskeyRequest): PasskeyAssertion {
  const origin = 'https://web.whatsapp.com';
  return {
    id: base64url('a credential'),
    clientDataJSON: base64url(JSON.stringify({ type: 'webauthn.get', challenge, origin })),
    authenticatorData: base64url(createHash('sha256').update('whatsapp.com').digest()),
    signature: base64url('a signature'),
    userHandle: null,
  };
}

let count = 0;
/** A number that waits for a signature. Its attempt is named after the request. */
async function waitsToSign(): Promise<{ numberId: string; attempt: string; request: PasskeyRequest }> {
  const { numberId } = await world.addUnlinkedNumber();
  await openLinking(world, { numberId });
  await until(() => world.network.isOpen(numberId));
  await world.untilStatus(numberId, 'LINKING');
  const attempt = `attempt ${++count}`;
  const request = requestOf(attempt);
  world.network.passkey(numberId, attempt, { at: 'begun' });
  world.network.passkey(numberId, attempt, { at: 'sign', request });
  await untilAt(numberId, 'sign');
  return { numberId, attempt, request };
}

const view = (numberId: string) => linkingView(world, { numberId });
const untilAt = (numberId: string, at: string) =>
  until(async () => {
    const { passkey, statusReason } = await view(numberId);
    return passkey?.at === at && statusReason === causeText({ code: PASSKEY_CAUSES[passkey.at] });
  });
const answer = (numberId: string, text: string, who = me) =>
  answerPasskey(world, { numberId, ...who, answer: text });
const repliesTo = (attempt: string) =>
  world.network.passkeyReplies.filter((one) => one.attempt === attempt).map(({ reply }) => reply);
async function stored(numberId: string): Promise<string> {
  const [row] = await world.database
    .sql`select l::text as row from number_links l where number_id = ${numberId}`;
  return row?.row ?? '';
}

test('linking waits ten minutes with a reason, without a QR', async () => {
  const { numberId, attempt } = await waitsToSign();
  const { linkUntil, ...shown } = await view(numberId);
  expect(shown).toMatchObject({
    status: 'LINKING',
    statusReason: expect.stringContaining('asks for the number’s passkey'),
    qr: null,
    passkey: { attempt, at: 'sign', code: null, why: null },
  });
  const leftMs = (linkUntil?.getTime() ?? 0) - Date.now();
  expect(leftMs).toBeGreaterThan(PASSKEY_MS - 30_000);
  expect(leftMs).toBeLessThan(PASSKEY_MS + 30_000);
  expect(world.opens(numberId)).toBe(1);
});

test('what a browser signed reaches the session once, and is nowhere afterwards', async () => {
  const { numberId, attempt, request } = await waitsToSign();
  const toSign = await passkeyToSign(world, { numberId, ...me });
  expect(toSign.request).toEqual(request);
  const assertion = signed(request);
  const text = JSON.stringify({ token: toSign.token, assertion });
  await answer(numberId, text);
  await until(() => repliesTo(attempt).length > 0);
  expect(repliesTo(attempt)).toEqual([{ kind: 'signed', assertion }]);
  const [row] = await world.database.sql`
    select passkey_reply as reply from number_links where number_id = ${numberId}`;
  expect(row?.reply).toBeNull();
  world.network.passkey(numberId, attempt, { at: 'phone' });
  await untilAt(numberId, 'phone');
  await expect(answer(numberId, text)).rejects.toThrow('does not ask for this now');
  await expect(passkeyToSign(world, { numberId, ...me })).rejects.toThrow('does not ask for this now');
  const { rows } = await listAudit({ database: world.database }, { accountId: world.accountId, limit: 1 });
  expect(rows[0]).toMatchObject({ action: 'number.passkey', target: numberId, detail: { did: 'signed' } });
  expect(JSON.stringify(rows)).not.toContain(assertion.signature);
  expect(repliesTo(attempt)).toHaveLength(1);
});

test('the request is stored sealed', async () => {
  const { numberId, request } = await waitsToSign();
  expect(await stored(numberId)).not.toContain(request.challenge);
});

test('an answer is for its number, person, sign-in and attempt only', async () => {
  const one = await waitsToSign();
  const other = await waitsToSign();
  const { token } = await passkeyToSign(world, { ...one, ...me });
  const text = JSON.stringify({ token, assertion: signed(one.request) });
  const refused = 'does not answer the current request';
  await expect(answer(other.numberId, text)).rejects.toThrow(refused);
  await expect(answer(one.numberId, text, { ...me, userId: 'usr_other' })).rejects.toThrow(refused);
  await expect(answer(one.numberId, text, { ...me, signInId: 'sgn_other' })).rejects.toThrow(refused);
  await expect(answer(one.numberId, 'not an answer')).rejects.toThrow(refused);
  const wrong = JSON.stringify({ token, assertion: signed(other.request) });
  await expect(answer(one.numberId, wrong)).rejects.toThrow(refused);
  const next = requestOf('the next one');
  world.network.passkey(one.numberId, 'the next attempt', { at: 'sign', request: next });
  await until(async () => (await view(one.numberId)).passkey?.attempt === 'the next attempt');
  await expect(answer(one.numberId, text)).rejects.toThrow('does not ask for this now');
  expect([...repliesTo(one.attempt), ...repliesTo('the next attempt')]).toEqual([]);
});

test('the code is shown until it is confirmed, and a failed attempt until it is tried again', async () => {
  const { numberId, attempt } = await waitsToSign();
  const reply = (kind: 'confirm' | 'retry') => continuePasskey(world, { numberId, attempt, kind });
  await expect(reply('confirm')).rejects.toThrow('does not ask for this now');
  world.network.passkey(numberId, attempt, { at: 'code', code: 'ABCD1234' });
  await untilAt(numberId, 'code');
  expect((await view(numberId)).passkey).toMatchObject({ code: 'ABCD1234' });
  expect(await stored(numberId)).not.toContain('ABCD1234');
  await reply('confirm');
  await until(() => repliesTo(attempt).length === 1);
  world.network.passkey(numberId, attempt, { at: 'failed', why: 'timeout' });
  await untilAt(numberId, 'failed');
  expect((await view(numberId)).passkey).toMatchObject({ why: 'timeout', code: null });
  await reply('retry');
  await until(() => repliesTo(attempt).length === 2);
  expect(repliesTo(attempt)).toEqual([{ kind: 'confirm' }, { kind: 'retry' }]);
});

test('a number that nobody signs for is unlinked again, and says why', async () => {
  const { numberId } = await waitsToSign();
  await world.database.sql`
    update numbers set link_until = clock_timestamp() - interval '1 ms' where id = ${numberId}`;
  await world.untilStatus(numberId, 'UNLINKED');
  const { statusReason, passkey } = await view(numberId);
  expect([statusReason, passkey]).toEqual([causeText({ code: 'passkey_expired' }), null]);
  await until(() => !world.network.isOpen(numberId));
});

test('linking that is opened again still asks for the passkey', async () => {
  const { numberId, attempt } = await waitsToSign();
  await openLinking(world, { numberId });
  await untilAt(numberId, 'sign');
  expect(await view(numberId)).toMatchObject({ status: 'LINKING', qr: null, passkey: { attempt } });
  expect(world.opens(numberId)).toBe(1);
});

test('stopping the linking ends it at once', async () => {
  const { numberId } = await waitsToSign();
  await cancelLinking(world, { numberId });
  await until(() => !world.network.isOpen(numberId));
  expect((await view(numberId)).passkey).toBeNull();
});

test('a phone that is linked, and a QR that is shown again, end it', async () => {
  const one = await waitsToSign();
  world.network.load(one.numberId);
  await world.untilStatus(one.numberId, 'SYNCING');
  await until(async () => (await view(one.numberId)).passkey === null);
  const { numberId } = await waitsToSign();
  world.network.showQr(numberId);
  await until(async () => {
    const { passkey, statusReason } = await view(numberId);
    return passkey === null && statusReason === null;
  });
  expect(await view(numberId)).toMatchObject({ status: 'LINKING' });
});

test('an answer that no worker reads is deleted soon', async () => {
  const { numberId, attempt, request } = await waitsToSign();
  const { token } = await passkeyToSign(world, { numberId, ...me });
  await world.stopWorker();
  await answer(numberId, JSON.stringify({ token, assertion: signed(request) }));
  await world.database.sql`
    update number_links set passkey_replied_at = passkey_replied_at - interval '1 minute' where number_id = ${numberId}`;
  await forgetLinkingCodes(world.database);
  const [row] = await world.database.sql`
    select passkey_reply as reply from number_links where number_id = ${numberId}`;
  expect(row?.reply ?? null).toBeNull();
  expect(repliesTo(attempt)).toEqual([]);
});
