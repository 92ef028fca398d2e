import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { outgoing, text } from '#worker/testing/engine-message.ts';

const PHONE = '491700000061';
const BOB = '491700000002';
const TO_BOB = `${BOB}@c.us`;
const ID = 'num_resumed';

let engine: TemporaryEngine;
let opened: Opened;
beforeAll(async () => {
  engine = await temporaryEngine();
  opened = await engine.link(ID, PHONE);
  await opened.session.lookUp(BOB);
  await sent(text(TO_BOB, 'the page’s job is known to ask'));
});
afterAll(() => engine[Symbol.asyncDispose]());

const arrived = async (id: string) =>
  (await engine.control.inbox({ phone: PHONE })).filter((entry) => entry.id === id).length;

async function sent(message: ReturnType<typeof text>): Promise<void> {
  await opened.session.send(message);
  expect(await opened.events.untilAck(message.waMessageId)).toBe(1);
}

function pdf(): ReturnType<typeof outgoing> {
  const content = { type: 'document', url: 'https://x.test/', filename: 'a.pdf' } as const;
  return outgoing(TO_BOB, content, { mimeType: 'application/pdf', bytes: randomBytes(500) });
}

/** Ends the session in the middle of a send, and opens the next one on the same profile. */
async function interruptedBy(end: () => Promise<void>): Promise<void> {
  await end();
  await opened.session.stop();
  await engine.control.clearRules({ phone: PHONE });
  opened = engine.open(ID);
  await opened.session.start();
  await opened.events.untilState('ready');
}

test.each([
  ['a stop', () => opened.session.stop()],
  [
    'a reload',
    async () => {
      await engine.control.reload({ phone: PHONE });
      await opened.events.untilState('gone');
    },
  ],
])('a file that waited in the page is not sent by the next document, after %s', async (_, end) => {
  await engine.control.addRule({ phone: PHONE, rule: { stage: 'job', action: 'hang' } });
  const file = await pdf();
  await opened.session.send(file);
  await interruptedBy(end);
  // Whatever the page resumes, it resumes before it is ready.
  await sent(text(TO_BOB, 'after the restart'));
  expect(await arrived(file.waMessageId)).toBe(0);
  expect(await opened.session.reconcile(file)).toBe(0);
  const logged = opened.warned.filter((line) => line.includes('held back'));
  expect(logged.map((line) => line.includes(file.waMessageId))).toEqual([true]);
  expect(opened.events.failures.get(file.waMessageId)).toMatchObject({
    certain: true,
    reason: 'disconnected',
  });
});

test('with the fault "resume pending", neither is a text whose failure was already reported', async () => {
  await engine.control.configure({ resumePending: true });
  await engine.control.addRule({ phone: PHONE, rule: { stage: 'job', action: 'hang' } });
  const message = text(TO_BOB, 'reported as not sent');
  await opened.session.send(message);
  const { events } = opened;
  await interruptedBy(() => opened.session.stop());
  expect(events.failures.get(message.waMessageId)).toMatchObject({ certain: true, reason: 'disconnected' });
  await sent(text(TO_BOB, 'after the restart'));
  expect(await arrived(message.waMessageId)).toBe(0);
  await engine.control.configure({ resumePending: false });
});

test('a file that was written before the restart is no failure when the page has lost it', async () => {
  await engine.control.setDelivery({ phone: PHONE, deliveredMs: null, readMs: null });
  await engine.control.addRule({ phone: PHONE, rule: { stage: 'after', action: 'hang' } });
  const file = await pdf();
  await opened.session.send(file);
  await expect.poll(() => arrived(file.waMessageId)).toBe(1);
  await engine.control.configure({ resumedFilesGone: true });
  await interruptedBy(() => opened.session.stop());
  await sent(text(TO_BOB, 'after the restart'));
  expect(opened.events.acks.has(file.waMessageId)).toBe(false);
  expect(await opened.session.reconcile(file)).toBe(0);
  await engine.control.configure({ resumedFilesGone: false });
});

test('a file that was written before the restart is not written again, and is not called a failure', async () => {
  // Otherwise the server reports the file as delivered, and nothing is resumed.
  await engine.control.setDelivery({ phone: PHONE, deliveredMs: null, readMs: null });
  await engine.control.addRule({ phone: PHONE, rule: { stage: 'after', action: 'hang' } });
  const file = await pdf();
  await opened.session.send(file);
  await expect.poll(() => arrived(file.waMessageId)).toBe(1);
  const { repeats } = await engine.control.phone({ phone: PHONE });
  await interruptedBy(() => opened.session.stop());
  await sent(text(TO_BOB, 'after the restart'));
  expect((await engine.control.phone({ phone: PHONE })).repeats).toBe(repeats);
  expect(opened.warned.join()).toContain(file.waMessageId);
  expect(opened.events.failures.has(file.waMessageId)).toBe(false);
});
