import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, dateIn } from '#server/core/access.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { unlinkNumber } from '#server/numbers/unlink-number.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { settings } from '#server/settings.ts';
import { failOnce } from '../testing/fail-once.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** A message that is being sent when its number's session ends. */

/** Long enough for the end to begin before the acknowledgement. */
const ACK_MS = 1_500;

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.network.ackMs = ACK_MS;
});
afterAll(() => world.stop());

const account = () => ({ database: world.database, accountId: world.accountId, actor: world.actor });
const plan = (paidUntil: string) => activatePlan(account(), { numbersIncluded: 50, paidUntil });
const lapsed = () => addDays(dateIn(settings.timeZone, new Date()), -15 - settings.graceDays);

/** A message that WhatsApp has and has not acknowledged. */
async function beingSent({ numberId, key }: { numberId: string; key: string }) {
  const answer = world.text(key, '491700000001', 'being sent').then(
    ({ message }) => message.status,
    (error: unknown) => error,
  );
  await until(async () => world.network.delivered.some((one) => one.numberId === numberId));
  return { answer };
}

const ENDS = [
  ['is unlinked', ({ numberId }: { numberId: string }) => unlinkNumber(account(), { numberId })],
  ['is stopped because its plan has ended', () => plan(lapsed())],
] as const;
const isLost = ({ numberId }: { numberId: string }) => void world.network.mute.add(numberId);

test.each(ENDS)('it gets its outcome when the number %s', async (_, end) => {
  await plan('2999-12-31');
  const number = await world.addLinkedNumber();
  const { answer } = await beingSent(number);
  await end(number);
  expect(await answer).toBe('sent');
  await until(() => !world.network.isOpen(number.numberId));
});

test.each([...ENDS, ['is lost because its page does not answer', isLost]] as const)(
  'it is definitely not sent when it waits in the page and the number %s',
  async (_, end) => {
    await plan('2999-12-31');
    const number = await world.addLinkedNumber();
    world.network.behave(number.numberId, 'held');
    const answer = world.text(number.key, '491700000001', 'waits in the page');
    await until(async () => {
      const [row] = await world.database.sql<{ status: string }[]>`
      select status from messages where number_id = ${number.numberId}`;
      return row?.status === 'sending';
    });
    await Promise.all([
      end(number),
      expect(answer).rejects.toMatchObject({ code: 'send_failed', details: { sendOutcome: 'not_sent' } }),
    ]);
  },
);

test('a number whose link ends does not start again, although the database fails while the end is stored', async () => {
  const { database, network } = world;
  await plan('2999-12-31');
  const { numberId } = await world.addLinkedNumber();
  const failing = await failOnce(database.sql, { table: 'numbers', when: "new.intent = 'idle'" });
  network.unlink(numberId);
  await until(async () => {
    const [row] = await database.sql<{ intent: string; held: boolean }[]>`
      select intent, worker_id is not null as held from numbers join leases on number_id = id where id = ${numberId}`;
    return row?.intent === 'idle' && !row.held;
  });
  expect(await failing.tries()).toBeGreaterThan(1);
  await failing.remove();
  expect(await world.statusOf(numberId)).toBe('LOGGED_OUT');
  expect(world.opens(numberId)).toBe(1);
});

test('whether WhatsApp confirmed an unlinking is stored as it was, although the database fails meanwhile', async () => {
  const { database, network } = world;
  await plan('2999-12-31');
  const { numberId } = await world.addLinkedNumber();
  network.mute.add(numberId);
  const failing = await failOnce(database.sql, {
    table: 'numbers',
    when: `new.cause ->> 'code' = 'unlink_unconfirmed'`,
  });
  await unlinkNumber(account(), { numberId });
  await until(async () => {
    const [row] = await database.sql<{ reason: string }[]>`
      select cause ->> 'code' as reason from numbers where id = ${numberId}`;
    return row?.reason === 'unlink_unconfirmed';
  });
  expect(await failing.tries()).toBeGreaterThan(1);
  expect(world.opens(numberId)).toBe(1);
  await failing.remove();
});

test('a code is no longer shown once the browser that made it has ended', async () => {
  const { database, network } = world;
  await plan('2999-12-31');
  const { numberId } = await world.addUnlinkedNumber();
  await openLinking(account(), { numberId });
  const qr = async () => {
    const [row] = await database.sql<
      { qr: string | null }[]
    >`select qr from number_links where number_id = ${numberId}`;
    return row?.qr ?? null;
  };
  await until(async () => (await qr()) !== null);
  // Until somebody asks for a code again, the next browser does not start before the end of the test.
  network.kill(numberId, { pauseMs: 3_600_000 });
  await until(async () => (await qr()) === null);
  expect(await world.statusOf(numberId)).toBe('LINKING');
  expect(world.opens(numberId)).toBe(1);
  await openLinking(account(), { numberId });
  await until(async () => (await qr()) !== null);
  expect(world.opens(numberId)).toBe(2);
});
