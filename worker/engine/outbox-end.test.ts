import { describe, expect, test } from 'vitest';
import { outgoing } from '#worker/testing/engine-message.ts';
import { failureOf, LIMIT_MS, message, never, outbox, rightDraft } from '#worker/testing/engine-outbox.ts';

const photo = () => outgoing('491700000002@c.us', { type: 'image', url: 'https://x.test/' });

describe('at the end of a session', () => {
  test('a message whose job never passed the gate definitely failed, and every gate is closed', async () => {
    const { box, failures, taken } = outbox();
    await box.mayWrite(await taken()); // shows that this page’s jobs ask at their gate
    const id = await taken();
    box.end();
    expect([...failures.keys()]).toEqual([id]);
    expect(failures.get(id)).toMatchObject({ certain: true, reason: 'disconnected' });
    expect(await box.mayWrite(id)).toBe(false);
  });

  test('a message that passed the gate, was acknowledged or refused keeps its state', async () => {
    const { box, failures, acks, taken } = outbox();
    const written = await taken();
    await box.mayWrite(written);
    const acknowledged = await taken();
    box.acknowledged(acknowledged, 1);
    const refused = await taken();
    box.acknowledged(refused, -1, 463);
    box.end();
    expect(failures.size).toBe(0);
    expect(acks.map(([, ack]) => ack)).toEqual([1, -1]);
  });

  test('a message with a file stays unknown, because the page may resume it; only one that waited is noted', async () => {
    const { box, failures, waitingFiles, taken } = outbox();
    await box.mayWrite(await taken());
    const waits = await taken(photo());
    await box.mayWrite(await taken(photo()));
    box.end();
    expect(failures.size).toBe(0);
    expect(waitingFiles).toEqual([waits]);
  });

  test('no failure is definite where no job has ever asked the gate', async () => {
    const { box, failures, taken } = outbox();
    await taken();
    box.end();
    expect(failures.size).toBe(0);
  });

  test('a message that the page marks as failed stays unknown where no job has ever asked the gate', async () => {
    const { box, failures, acks, taken } = outbox();
    const id = await taken();
    box.report(id, { step: 'flagged' });
    expect(failures.size).toBe(0);
    box.acknowledged(id, 1);
    expect(acks).toEqual([[id, 1, null]]);
    await box.mayWrite(await taken()); // shows that this page’s jobs ask at their gate
    const second = await taken();
    box.report(second, { step: 'flagged' });
    expect([...failures].map(([key, { reason }]) => [key, reason])).toEqual([[second, 'late']]);
  });

  test('a message that is being dispatched is reported as not sent only by its dispatch', async () => {
    const { box, failures, taken } = outbox();
    await box.mayWrite(await taken());
    const one = message();
    const gone = Promise.withResolvers<never>();
    const handed = box.dispatch(one, LIMIT_MS, async () => {
      await box.openGate(one.waMessageId, rightDraft(one));
      box.end();
      return gone.promise;
    });
    gone.reject(new Error('Protocol error: Target closed'));
    expect(await failureOf(handed)).toEqual({ certain: true, reason: 'disconnected' });
    expect(failures.size).toBe(0);
  });

  test('a pending question to the gate is answered with no', async () => {
    const fence = Promise.withResolvers<boolean>();
    const { box } = outbox(() => fence.promise);
    const one = message();
    let passed: Promise<boolean> | undefined;
    const handed = box.dispatch(one, LIMIT_MS, () => {
      passed = box.openGate(one.waMessageId, rightDraft(one));
      return never;
    });
    box.end();
    fence.resolve(true);
    expect(await passed).toBe(false);
    expect(await failureOf(handed)).toMatchObject({ certain: true });
  });
});

describe('a page that deviates from the tested path', () => {
  test('leaves every message that is being dispatched unknown, even before the gate', async () => {
    const { box } = outbox();
    const gone = Promise.withResolvers<never>();
    const handed = box.dispatch(message(), LIMIT_MS, () => gone.promise);
    box.distrust();
    gone.reject(new Error('Protocol error: Target closed'));
    expect(await failureOf(handed)).toEqual({ certain: false, reason: 'page' });
  });

  test('leaves every accepted message unknown, whatever it reports and when its session ends', async () => {
    const { box, failures, taken } = outbox();
    await box.mayWrite(await taken());
    const id = await taken();
    box.distrust();
    box.report(id, { step: 'jobFailed', error: 'TypeError: something', through: true });
    box.end();
    expect(failures.size).toBe(0);
  });
});

describe('once the page has finished a message', () => {
  test.each([true, false])('an answer without its job is noticed (asked at the job: %s)', async (asked) => {
    const { box, acks, silentJobs, taken } = outbox();
    const id = await taken();
    if (asked) await box.mayWrite(id);
    box.report(id, { step: 'over', ack: 1 });
    expect(acks).toEqual([[id, 1, null]]);
    expect(silentJobs).toEqual([asked]);
  });

  test('a job that has answered is not reported as missing', async () => {
    const { box, silentJobs, taken } = outbox();
    const id = await taken();
    await box.mayWrite(id);
    box.report(id, { step: 'job', error: null });
    box.report(id, { step: 'over', ack: 1 });
    expect(silentJobs).toEqual([]);
  });
});
