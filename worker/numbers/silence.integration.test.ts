import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { raiseAlerts } from '#server/alerts/raise-alerts.ts';
import { AppError } from '#server/core/errors.ts';
import { failOnce } from '../testing/fail-once.ts';
import { startWorld, until, type World } from '../testing/world.ts';

// Before the settings are read, which happens once.
vi.hoisted(() => vi.stubEnv('SANDBOX_ACK_TIMEOUT_MS', '300'));

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.stop();
});

test('a message that still waits in the page when its time is over is definitely not sent, now or later', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'held');
  await expect(world.text(key, '491700000001', 'waits in the page')).rejects.toMatchObject({
    code: 'send_failed',
    details: { sendOutcome: 'not_sent' },
  });
  // The number reconnects first, and this may not have begun yet.
  await until(() =>
    world.text(key, '491700000001', 'the next one').then(
      () => true,
      () => false,
    ),
  );
  expect(world.network.delivered.filter((one) => one.numberId === numberId)).toHaveLength(1);
});

test('a message that may have left is unknown when its time is over, until its acknowledgement comes', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'late');
  await expect(world.text(key, '491700000001', 'delivered, and not acknowledged')).rejects.toMatchObject({
    code: 'send_unknown',
    details: { sendOutcome: 'unknown' },
  });
  const [sent] = world.network.delivered.filter((one) => one.numberId === numberId);
  world.network.acknowledge(sent?.waMessageId ?? '', 1);
  await until(async () => {
    const [row] = await world.database.sql`select status from messages where number_id = ${numberId}`;
    return row?.status === 'sent';
  });
});

test('a number that answers its probe again is connected again, although the database fails at that moment', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const failing = await failOnce(world.database.sql, {
    table: 'numbers',
    when: "old.status = 'RECONNECTING' and new.status = 'CONNECTED'",
  });
  world.network.behave(numberId, 'silence');
  await expect(world.text(key, '491700000001', 'lost on the way')).rejects.toMatchObject({
    code: 'send_unknown',
  });
  await until(async () => (await failing.tries()) > 0);
  await world.untilStatus(numberId, 'CONNECTED');
  expect((await world.text(key, '491700000001', 'the next one')).message.status).toBe('sent');
  expect(world.opens(numberId)).toBe(1);
  await failing.remove();
});

/** Sends a message once the number is connected, which may be after a restart. Resolves with its error, if it has one. */
async function send(
  { key, numberId }: { key: string; numberId: string },
  behaviour?: 'held' | 'silence' | 'late',
) {
  if (behaviour) world.network.behave(numberId, behaviour);
  for (;;) {
    const error: unknown = await world.text(key, '491700000001', behaviour ?? 'sent').then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof AppError && error.code === 'not_connected')) return error;
    await world.untilStatus(numberId, 'CONNECTED');
  }
}
const statesOf = (numberId: string) => world.database.sql<{ status: string; reason: string | null }[]>`
  select status, cause ->> 'code' as reason from number_events where number_id = ${numberId} order by id`;
const alertsOf = async (numberId: string) => {
  await raiseAlerts({ database: world.database });
  return world.database.sql<{ kind: string; ended: boolean }[]>`
    select kind, ended_at is not null as ended from alerts where number_id = ${numberId} order by id`;
};

test.each([
  ['two messages in a row do not begin to be sent', 'held', ['not_sent', 'not_sent']],
  ['three messages in a row are unknown although pings pass', 'silence', ['unknown', 'unknown', 'unknown']],
] as const)(
  'when %s, the session restarts and an alert lasts until a message is sent',
  async (_, behaviour, outcomes) => {
    const number = await world.addLinkedNumber();
    const { numberId } = number;
    for (const sendOutcome of outcomes) {
      expect(await alertsOf(numberId)).toEqual([]);
      expect(await send(number, behaviour)).toMatchObject({ details: { sendOutcome } });
    }
    await until(() => world.opens(numberId) === 2);
    await world.untilStatus(numberId, 'CONNECTED');
    const states = await statesOf(numberId);
    const stuck = states.findIndex(({ reason }) => reason === 'not_sending');
    // Not connected between the last of these messages and the new session.
    expect(states.slice(stuck - 1).map(({ status }) => status)).toEqual([
      'RECONNECTING',
      'RECONNECTING',
      'CONNECTED',
    ]);
    expect(await alertsOf(numberId)).toEqual([{ kind: 'not_sending', ended: false }]);
    expect(await send(number)).toBeNull();
    expect(await alertsOf(numberId)).toEqual([{ kind: 'not_sending', ended: true }]);
  },
);

test('messages that are not sent between others that are restart nothing', async () => {
  const number = await world.addLinkedNumber();
  const row = ['held', undefined, 'held', undefined, 'silence', 'silence', undefined, 'held'] as const;
  for (const behaviour of row) await send(number, behaviour);
  expect(await send(number)).toBeNull();
  expect(world.opens(number.numberId)).toBe(1);
});

test('a late acknowledgement of one of three unknown messages shows that the page sends', async () => {
  const number = await world.addLinkedNumber();
  for (const behaviour of ['late', 'silence', 'silence'] as const) {
    expect(await send(number, behaviour)).toMatchObject({ code: 'send_unknown' });
    const [sent] = world.network.delivered.filter((one) => one.numberId === number.numberId);
    world.network.acknowledge(sent?.waMessageId ?? '', 1);
  }
  expect(await send(number)).toBeNull();
  expect(world.opens(number.numberId)).toBe(1);
});

test('a 463 that comes after its message was given up makes the page ask for restrictions too', async () => {
  const number = await world.addLinkedNumber();
  const { numberId } = number;
  const timelock = { kind: 'DEFAULT', until: Date.now() + 3_600_000 };
  world.network.restrict(numberId, { timelock }, { silently: true });
  expect(await send(number, 'late')).toMatchObject({ code: 'send_unknown' });
  const [sent] = world.network.delivered.filter((one) => one.numberId === numberId);
  world.network.acknowledge(sent?.waMessageId ?? '', -1, 463);
  await until(async () => {
    const [row] = await world.database.sql`
      select timelock_kind as kind from number_health where number_id = ${numberId}`;
    return row?.kind === 'DEFAULT';
  });
});
