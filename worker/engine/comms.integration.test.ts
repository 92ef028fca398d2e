import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';

/** A page whose connection runs in a worker, as on builds since September 2026. */

const PHONE = '491700000057';
const BOB = '491700000002';
const TO_BOB = `${BOB}@c.us`;
const STANZAS = 'WAWebCommsHandleWorkerCompatibleStanza';

let engine: TemporaryEngine;
let opened: Opened | undefined;
beforeAll(async () => {
  engine = await temporaryEngine();
  const { session } = await engine.link('num_comms', PHONE);
  await session.stop();
});
afterEach(async () => {
  await opened?.session.stop();
  await engine.control.accept({ phone: PHONE });
  await engine.control.configure({ comms: 'page', absentModules: [] });
});
afterAll(() => engine[Symbol.asyncDispose]());

async function ready(
  config: Parameters<TemporaryEngine['control']['configure']>[0],
  times: Parameters<TemporaryEngine['open']>[1] = {},
): Promise<Opened> {
  await engine.control.configure(config);
  const one = engine.open('num_comms', times);
  opened = one;
  await one.session.start();
  await one.events.untilState('ready');
  return one;
}
const comms = ({ events }: Opened) => events.selfTests.map((result) => result.comms);

test.each([
  ['in the page', 'page', [], 'page'],
  ['in a worker', 'worker', [], 'worker'],
  ['in a worker, whose stanzas take an unknown way', 'worker', [STANZAS], 'unseen'],
] as const)(
  'connected %s: the mode is known, and messages are sent and refused with their code',
  async (_, where, absentModules, mode) => {
    const one = await ready({ comms: where, absentModules: [...absentModules] });
    expect(comms(one)).toEqual([mode]);
    await one.session.lookUp(BOB);
    const message = text(TO_BOB, `sent ${mode}`);
    await one.session.send(message);
    expect(await one.events.untilAck(message.waMessageId)).toBe(1);
    const rule = { stage: 'wire', action: 'refuse', code: 463, to: BOB } as const;
    await engine.control.addRule({ phone: PHONE, rule });
    const refused = text(TO_BOB, `refused ${mode}`);
    await one.session.send(refused);
    await one.events.until(({ nackCodes }) => nackCodes.get(refused.waMessageId));
    expect(one.events.nackCodes.get(refused.waMessageId)).toBe(463);
  },
);

test('a refused login of a connection in a worker has its reason', async () => {
  const one = await ready({ comms: 'worker' });
  await engine.control.refuse({ phone: PHONE, reason: 400 });
  const waiting = await one.events.until(({ states }) =>
    states.findLast((state) => state.state === 'waiting' && state.cause.code === 'login_refused'),
  );
  expect(waiting).toMatchObject({ cause: { status: '400' } });
});

test('another page takes the place of one whose connection runs in a worker: a conflict, at once', async () => {
  const one = await ready({ comms: 'worker' }, { replacedMs: 60_000 });
  await engine.control.replaced({ phone: PHONE });
  expect(await one.events.untilState('conflict')).toEqual({ state: 'conflict' });
});

test('a connection that ends without a visible reason says so, and one whose browser ends does not', async () => {
  const hidden = () => ({ comms: 'worker' as const, absentModules: [STANZAS] });
  const cut = await ready(hidden(), { cutMs: 300 });
  await engine.control.offline({ phone: PHONE });
  expect(await cut.events.untilState('gone')).toMatchObject({ unseen: true });
  await cut.session.stop();
  await engine.control.online({ phone: PHONE });

  const killed = await ready(hidden());
  await killed.client().pupBrowser?.close();
  expect(await killed.events.untilState('gone')).not.toHaveProperty('unseen');
});
