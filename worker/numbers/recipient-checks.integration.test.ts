import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRecipients } from '#server/numbers/check-recipients.ts';
import { setProtection } from '#server/numbers/number-settings.ts';
import { startWorld, until, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const check = (numberId: string, ...digits: string[]) =>
  checkRecipients(
    { database: world.database, accountId: world.accountId, numberId },
    { digits, signal: new AbortController().signal },
  );
const waiting = async (numberId: string) => {
  const rows = await world.database.sql`
    select digits from recipient_checks where number_id = ${numberId} and settled_at is null`;
  return rows.length;
};

test('phones are looked up one after the other, and remembered', async () => {
  const { numberId } = await world.addLinkedNumber();
  const absent = '491760000002';
  world.network.absent.add(absent);
  const checked = await check(numberId, '491760000001', absent, '491760000001');
  expect(checked).toEqual([
    { digits: '491760000001', status: 'on_whatsapp', checkedAt: expect.any(Date) },
    { digits: absent, status: 'not_on_whatsapp', checkedAt: expect.any(Date) },
  ]);
  expect(await waiting(numberId)).toBe(0);
  expect(await check(numberId, '491760000001')).toEqual([checked[0]]);
});

test('somebody who got a message is known without a look-up', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  await world.text(key, '491760000003', 'hello');
  await world.database.sql`delete from look_ups where number_id = ${numberId}`;
  await until(
    async () =>
      (
        await world.database
          .sql`select 1 from recipients where known_at is not null and number_id = ${numberId}`
      ).length > 0,
  );
  expect(await check(numberId, '491760000003')).toMatchObject([{ status: 'on_whatsapp' }]);
  const asked = await world.database.sql`select 1 from recipient_checks where number_id = ${numberId}`;
  expect(asked).toHaveLength(0);
});

test('somebody who was not on WhatsApp and then writes is known, and gets messages', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  await setProtection(world, { numberId, on: true });
  const person = '491760000007';
  world.network.absent.add(person);
  expect(await check(numberId, person)).toMatchObject([{ status: 'not_on_whatsapp' }]);
  await expect(world.text(key, person, 'hello')).rejects.toMatchObject({ code: 'recipient_unknown' });
  world.network.absent.delete(person);
  world.network.write(numberId, person);
  await until(async () => (await check(numberId, person))[0]?.status === 'on_whatsapp');
  expect((await world.text(key, person, 'hello')).message.status).toBe('sent');
});

test('a phone whose look-up fails does not drop those behind it, and each look-up counts', async () => {
  const { numberId } = await world.addLinkedNumber();
  const [broken, known] = ['491760000008', '491760000009'];
  world.network.unreadable.add(broken);
  // A caller that has hung up: it waits for no answer.
  const ask = (...digits: string[]) =>
    checkRecipients(
      { database: world.database, accountId: world.accountId, numberId },
      { digits, signal: AbortSignal.abort() },
    );
  for (const digits of [[broken, known], [broken]]) {
    await ask(...digits);
    await until(async () => (await waiting(numberId)) === 0);
  }
  expect(await check(numberId, known)).toMatchObject([{ status: 'on_whatsapp' }]);
  expect(
    await world.database.sql`
    select digits, asks from recipient_checks where number_id = ${numberId} order by digits`,
  ).toEqual([
    { digits: broken, asks: 2 },
    { digits: known, asks: 1 },
  ]);
});

test('two look-ups are an interval apart', async () => {
  const { numberId } = await world.addLinkedNumber(2);
  await check(numberId, '491760000004', '491760000005');
  const [row] = await world.database.sql<{ seconds: number }[]>`
    select extract(epoch from max(at) - min(at))::float8 as seconds from look_ups where number_id = ${numberId}`;
  expect(row?.seconds).toBeGreaterThanOrEqual(1.9);
});

test('while look-ups are paused nothing is asked, and no caller is kept in the queue', async () => {
  const { numberId } = await world.addLinkedNumber();
  await world.database.sql`
    insert into number_health (number_id, look_ups_until) values (${numberId}, clock_timestamp() + interval '1 hour')
    on conflict (number_id) do update set look_ups_until = excluded.look_ups_until`;
  const answering = check(numberId, '491760000006');
  await until(
    async () =>
      (
        await world.database.sql`
    select 1 from recipient_checks where number_id = ${numberId} and settled_at is not null`
      ).length > 0,
  );
  expect(await answering).toEqual([{ digits: '491760000006', status: 'pending', checkedAt: null }]);
  const [row] = await world.database.sql`select asks from recipient_checks where number_id = ${numberId}`;
  expect(row).toEqual({ asks: 0 });
}, 40_000);
