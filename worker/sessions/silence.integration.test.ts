import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
