import { describe, expect, test } from 'vitest';
import { outgoing } from '#worker/testing/engine-message.ts';
import { failureOf, LIMIT_MS, message, never, outbox } from '#worker/testing/engine-outbox.ts';

const photo = () => outgoing('491700000002@c.us', { type: 'image', url: 'https://x.test/' });

describe('at the end of a session', () => {
  test('what no job was let through for is certain, and finds every gate shut', async () => {
    const { box, failures, taken } = outbox();
    await box.mayWrite(await taken()); // this page’s job is known to ask
    const id = await taken();
    box.end();
    expect([...failures.keys()]).toEqual([id]);
    expect(failures.get(id)).toMatchObject({ certain: true, reason: 'disconnected' });
    expect(await box.mayWrite(id)).toBe(false);
  });

  test('what was let through, acknowledged or refused stays as it is', async () => {
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

  test('a file may be taken up again by the page, so its message stays open', async () => {
    const { box, failures, taken } = outbox();
    await box.mayWrite(await taken());
    await taken(photo());
    box.end();
    expect(failures.size).toBe(0);
  });

  test('nothing is certain where no job has ever asked', async () => {
    const { box, failures, taken } = outbox();
    await taken();
    box.end();
    expect(failures.size).toBe(0);
  });

  test('a message that is being handed over is said to be not sent by that alone', async () => {
    const { box, failures, taken } = outbox();
    await box.mayWrite(await taken());
    const one = message();
    const gone = Promise.withResolvers<never>();
    const handed = box.handOver(one, LIMIT_MS, async () => {
      await box.mayDispatch(one.waMessageId);
      box.end();
      return gone.promise;
    });
    gone.reject(new Error('Protocol error: Target closed'));
    expect(await failureOf(handed)).toEqual({ certain: true, reason: 'disconnected' });
    expect(failures.size).toBe(0);
  });

  test('a question that is still being answered is answered by no', async () => {
    const fence = Promise.withResolvers<boolean>();
    const { box } = outbox(() => fence.promise);
    const one = message();
    let passed: Promise<boolean> | undefined;
    const handed = box.handOver(one, LIMIT_MS, () => {
      passed = box.mayDispatch(one.waMessageId);
      return never;
    });
    box.end();
    fence.resolve(true);
    expect(await passed).toBe(false);
    expect(await failureOf(handed)).toMatchObject({ certain: true });
  });
});

describe('a page that goes other ways than the proven one', () => {
  test('leaves open whatever is being handed over, also what never came to the gate', async () => {
    const { box } = outbox();
    const gone = Promise.withResolvers<never>();
    const handed = box.handOver(message(), LIMIT_MS, () => gone.promise);
    box.distrust();
    gone.reject(new Error('Protocol error: Target closed'));
    expect(await failureOf(handed)).toEqual({ certain: false, reason: 'page' });
  });

  test('leaves open what it has taken, whatever it reports and when its session ends', async () => {
    const { box, failures, taken } = outbox();
    await box.mayWrite(await taken());
    const id = await taken();
    box.distrust();
    box.report(id, { step: 'jobFailed', error: 'TypeError: something' });
    box.end();
    expect(failures.size).toBe(0);
  });
});

describe('once the page is done with a message', () => {
  test.each([true, false])(
    'an answer that its job has not given is noticed (asked at the job: %s)',
    async (asked) => {
      const { box, acks, unheard, taken } = outbox();
      const id = await taken();
      if (asked) await box.mayWrite(id);
      box.report(id, { step: 'over', ack: 1 });
      expect(acks).toEqual([[id, 1, null]]);
      expect(unheard).toEqual([asked]);
    },
  );

  test('a job that has answered is not missed', async () => {
    const { box, unheard, taken } = outbox();
    const id = await taken();
    await box.mayWrite(id);
    box.report(id, { step: 'job', error: null });
    box.report(id, { step: 'over', ack: 1 });
    expect(unheard).toEqual([]);
  });
});
