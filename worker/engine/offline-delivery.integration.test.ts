import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';

const PHONE = '491700000065';
const BOB = '491700000002';
const TO_BOB = `${BOB}@c.us`;
const ID = 'num_offline_delivery';

let engine: TemporaryEngine;
let opened: Opened;
beforeAll(async () => {
  engine = await temporaryEngine();
  opened = await engine.link(ID, PHONE);
  await opened.session.lookUp(BOB);
  await opened.session.stop();
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(() => opened.session.stop());

const isDelivered = () =>
  opened.client().pupPage?.evaluate(() => {
    interface Site {
      require(name: string): { isOfflineDeliveryEnd(): boolean };
    }
    const site = window as unknown as Site;
    return site.require('WAWebEventsWaitForOfflineDeliveryEnd').isOfflineDeliveryEnd();
  });

test('a page is ready only after it has received what came while it was offline', async () => {
  await engine.control.configure({ offlineDeliveryMs: 1_500 });
  opened = engine.open(ID);
  await opened.session.start();
  await opened.events.untilState('ready');
  expect(await isDelivered()).toBe(true);
});

test('a page that takes too long is ready; a message that nobody waits for any more is then not sent', async () => {
  await engine.control.configure({ offlineDeliveryMs: 4_000 });
  opened = engine.open(ID, { offlineDeliveryMs: 100 });
  await opened.session.start();
  await opened.events.untilState('ready');
  expect(opened.warned.join()).toContain('messages may wait in it');
  const message = text(TO_BOB, 'waits for the end');
  await opened.session.send(message);
  expect(await isDelivered()).toBe(false);
  opened.fence.open = false; // the caller no longer waits
  const failure = await opened.events.until((events) => events.failures.get(message.waMessageId));
  expect(failure).toMatchObject({ certain: true, reason: 'late' });
  opened.fence.open = true;
  const next = text(TO_BOB, 'the next');
  await opened.session.send(next);
  expect(await opened.events.untilAck(next.waMessageId)).toBe(1);
  const arrived = (await engine.control.inbox({ phone: PHONE })).map(({ id }) => id);
  expect(arrived).toEqual([next.waMessageId]);
});

test('a message whose line is lost while it waits is reported as not sent, and does not leave when the line is back', async () => {
  await engine.control.configure({ offlineDeliveryMs: 10_000 });
  opened = engine.open(ID, { offlineDeliveryMs: 100 });
  await opened.session.start();
  await opened.events.untilState('ready');
  const message = text(TO_BOB, 'the line is lost meanwhile');
  await opened.session.send(message);
  await engine.control.offline({ phone: PHONE });
  const failure = await opened.events.until((events) => events.failures.get(message.waMessageId));
  expect(failure).toMatchObject({ certain: true, reason: 'disconnected' });
  expect(await isDelivered()).toBe(false);
  await engine.control.online({ phone: PHONE });
  await expect.poll(isDelivered, { timeout: 20_000 }).toBe(true);
  const next = text(TO_BOB, 'after the line came back');
  await opened.session.send(next);
  expect(await opened.events.untilAck(next.waMessageId)).toBe(1);
  const arrived = (await engine.control.inbox({ phone: PHONE })).map(({ id }) => id);
  expect(arrived).toContain(next.waMessageId);
  expect(arrived).not.toContain(message.waMessageId);
});
