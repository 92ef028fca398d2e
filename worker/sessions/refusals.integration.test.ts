import { afterAll, beforeAll, expect, test } from 'vitest';
import { logoutCause } from '#server/core/logout-cause.ts';
import { type NumberFacts, numberWords } from '#server/core/number-words.ts';
import { getNumber } from '#server/services/get-number.ts';
import { unlinkNumber } from '#server/services/unlink-number.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** What a number shows, and whether it is started again, when WhatsApp refuses it or ends its link. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ref = (numberId: string) => ({ accountId: world.accountId, numberId, actor: world.actor });
const seen = async (numberId: string) => getNumber(world.database.db, ref(numberId));
const sentence = async (numberId: string) =>
  numberWords((await seen(numberId)) as NumberFacts, { since: '1 min', emptyIn: '1 min' }).sentence;

test('a number that was unlinked while WhatsApp could not be reached says where the device is to be removed', async () => {
  const { numberId } = await world.addLinkedNumber();
  world.network.mute.add(numberId);
  await unlinkNumber(world.database, ref(numberId));
  await until(async () => (await seen(numberId)).statusReason?.includes('on the phone') === true);
  expect(await sentence(numberId)).toContain('remove this device on the phone, under Linked devices');
  await until(() => !world.network.isOpen(numberId));
});

test('a number that was unlinked for certain says no such thing', async () => {
  const { numberId } = await world.addLinkedNumber();
  await unlinkNumber(world.database, ref(numberId));
  await until(() => !world.network.isOpen(numberId));
  expect(await sentence(numberId)).toMatch(/^No phone is linked right now\. Link it again to go on\./);
});

test.each([
  null,
  'user_initiated',
  'primary_identity_key_change',
  'history_sync_timeout',
  'missing_enc_salt',
])(
  'a logout for the reason %s is told in its words, and the session is not started again',
  async (reason) => {
    const { numberId } = await world.addLinkedNumber();
    world.network.unlink(numberId, reason);
    await world.untilStatus(numberId, 'LOGGED_OUT');
    expect((await seen(numberId)).statusReason).toBe(logoutCause(reason).words);
    expect(await sentence(numberId)).toContain(`${logoutCause(reason).words} Link it again.`);
    await until(() => !world.network.isOpen(numberId));
  },
);
