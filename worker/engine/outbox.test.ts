import { describe, expect, test } from 'vitest';
import { SendError } from '#server/core/engine.ts';
import { Outbox } from './outbox.ts';
import { outgoing } from './testing-message.ts';

const LIMIT_MS = 60;

function outbox(mayDispatch: (id: string) => Promise<boolean> = async () => true) {
  const acks: [string, number][] = [];
  const box = new Outbox({ mayDispatch, askMs: 40, ack: (id, ack) => acks.push([id, ack]) });
  return { box, acks };
}
const message = () => outgoing('491700000002@c.us', { type: 'text', body: 'x' });
const photo = () => outgoing('491700000002@c.us', { type: 'image', url: 'https://x.test/' });
const never = new Promise<never>(() => {});

async function failureOf(work: Promise<void>): Promise<Pick<SendError, 'certain' | 'reason'>> {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof SendError)) throw new Error(`no SendError but ${String(failure)}`);
  return { certain: failure.certain, reason: failure.reason };
}

describe('a failure before the gate has opened is certain', () => {
  test.each([
    ['No LID for user', 'recipient_unknown'],
    ['wid error: invalid wid 1@c.us', 'recipient_unknown'],
    ['Chat not found', 'recipient_unknown'],
    ['Execution context was destroyed, most likely because of a navigation', 'page'],
    ['anything', 'page'],
  ])('%s: %s', async (words, reason) => {
    const failed = outbox().box.hand(message(), LIMIT_MS, () => Promise.reject(new Error(words)));
    expect(await failureOf(failed)).toEqual({ certain: true, reason });
  });

  test('with a file it is the file, unless the page is gone', async () => {
    const { box } = outbox();
    const rejecting = (words: string) => () => Promise.reject(new Error(words));
    expect(await failureOf(box.hand(photo(), LIMIT_MS, rejecting('upload failed: 500')))).toEqual({
      certain: true,
      reason: 'media',
    });
    expect(await failureOf(box.hand(photo(), LIMIT_MS, rejecting('Protocol error: Target closed')))).toEqual({
      certain: true,
      reason: 'page',
    });
  });

  test('the library’s silence where it finds no chat is a failure', async () => {
    const failed = outbox().box.hand(message(), LIMIT_MS, async () => undefined);
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'recipient_unknown' });
  });

  test('a string for an error is understood', async () => {
    const failed = outbox().box.hand(message(), LIMIT_MS, () => Promise.reject('No LID for user'));
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'recipient_unknown' });
  });
});

describe('the gate', () => {
  test('is passed by a message that is being handed over, once', async () => {
    const { box } = outbox();
    const one = message();
    const passes: boolean[] = [];
    await box.hand(one, LIMIT_MS, async () => {
      passes.push(await box.mayDispatch(one.waMessageId), await box.mayDispatch(one.waMessageId));
    });
    passes.push(await box.mayDispatch(one.waMessageId), await box.mayDispatch('3EB0UNHEARDOF'));
    expect(passes).toEqual([true, false, false, false]);
  });

  test('does not open for a message that was given up while the fence was being asked', async () => {
    const fence = Promise.withResolvers<boolean>();
    const { box } = outbox(() => fence.promise);
    const one = message();
    let passed: Promise<boolean> | undefined;
    const failed = box.hand(one, 20, () => {
      passed = box.mayDispatch(one.waMessageId);
      return never;
    });
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'timeout' });
    fence.resolve(true);
    expect(await passed).toBe(false);
  });

  test.each([
    ['says no', async () => false],
    ['cannot be asked', () => Promise.reject(new Error('the database is away'))],
    ['does not answer', () => never],
  ])('stays shut when the fence %s', async (_, mayDispatch) => {
    const { box } = outbox(mayDispatch);
    const one = message();
    const failed = box.hand(one, LIMIT_MS, async () => {
      if (!(await box.mayDispatch(one.waMessageId))) throw new Error('held back');
    });
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'fenced' });
  });

  test('once open, leaves every failure open but a refusal', async () => {
    const { box, acks } = outbox();
    const through = async (then: (id: string) => Promise<unknown>) => {
      const one = message();
      return failureOf(
        box.hand(one, LIMIT_MS, async () => {
          await box.mayDispatch(one.waMessageId);
          return then(one.waMessageId);
        }),
      );
    };
    expect(await through(() => Promise.reject(new Error('No LID for user')))).toEqual({
      certain: false,
      reason: 'page',
    });
    expect(await through(() => never)).toEqual({ certain: false, reason: 'timeout' });
    const refused = async (id: string) => box.acknowledged(id, -1);
    expect(await through(refused)).toEqual({ certain: true, reason: 'refused' });
    expect(acks.map(([, ack]) => ack)).toEqual([-1]);
  });
});

test('a message that has left stays in doubt until it is heard of, or the connection has proved good', async () => {
  const { box, acks } = outbox();
  const [heard, unheard] = [message(), message()];
  for (const one of [heard, unheard]) {
    await box.hand(one, LIMIT_MS, () => box.mayDispatch(one.waMessageId));
  }
  box.acknowledged(heard.waMessageId, 0); // only added to the page
  expect(box.silent()).toEqual([heard.waMessageId, unheard.waMessageId]);
  box.acknowledged(heard.waMessageId, 1);
  expect(box.silent()).toEqual([unheard.waMessageId]);
  box.trust([unheard.waMessageId]);
  expect(box.silent()).toEqual([]);
  expect(acks).toEqual([[heard.waMessageId, 1]]);
});
