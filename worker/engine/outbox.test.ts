import { describe, expect, test, vi } from 'vitest';
import { outgoing } from '#worker/testing/engine-message.ts';
import { failureOf, LIMIT_MS, message, never, outbox, rightDraft } from '#worker/testing/engine-outbox.ts';
import { HOOK_ERRORS } from './page/hook-errors.ts';

const photo = () => outgoing('491700000002@c.us', { type: 'image', url: 'https://x.test/' });
describe('a failure before the gate opens is definite', () => {
  test.each([
    ['No LID for user', 'recipient_unknown'],
    ['wid error: invalid wid 1@c.us', 'recipient_unknown'],
    ['Chat not found', 'recipient_unknown'],
    ['ServerStatusCodeError: rate-overlimit', 'look_ups'],
    ['Execution context was destroyed, most likely because of a navigation', 'page'],
    ['anything', 'page'],
  ])('%s: %s', async (words, reason) => {
    const failed = outbox().box.dispatch(message(), LIMIT_MS, () => Promise.reject(new Error(words)));
    expect(await failureOf(failed)).toEqual({ certain: true, reason });
  });

  test('a failure with a file is the file’s, unless the page is gone', async () => {
    const { box } = outbox();
    const rejecting = (words: string) => () => Promise.reject(new Error(words));
    expect(await failureOf(box.dispatch(photo(), LIMIT_MS, rejecting('no such file')))).toEqual({
      certain: true,
      reason: 'media',
    });
    expect(
      await failureOf(box.dispatch(photo(), LIMIT_MS, rejecting('Protocol error: Target closed'))),
    ).toEqual({
      certain: true,
      reason: 'page',
    });
  });

  test('a message that WhatsApp Web built wrongly is stopped at the gate', async () => {
    const { box } = outbox();
    const one = message();
    const wrong = { ...rightDraft(one), names: ['body', '__x_id'] };
    const failed = box.dispatch(one, LIMIT_MS, async () => {
      if (!(await box.openGate(one.waMessageId, wrong))) throw new Error(HOOK_ERRORS.heldBack);
    });
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'draft' });
  });

  test('a page that takes a message without asking at the gate may have sent it', async () => {
    const failed = outbox().box.dispatch(message(), LIMIT_MS, async () => undefined);
    expect(await failureOf(failed)).toEqual({ certain: false, reason: 'page' });
  });

  test('a string thrown as an error is understood', async () => {
    const failed = outbox().box.dispatch(message(), LIMIT_MS, () => Promise.reject('No LID for user'));
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'recipient_unknown' });
  });
});

test.each([
  ['InvalidImageFileType', 'media_invalid'],
  ['InvalidMediaCheckRepairFailedType', 'media_invalid'],
  ['upload failed: ERROR ERROR_TOO_LARGE', 'media_too_large'],
  ['upload failed: ERROR ERROR_THROTTLED', 'media_throttled'],
  ['upload failed: ERROR ERROR_FORBIDDEN', 'media_forbidden'],
  ['upload failed: ERROR NEED_UPLOAD', 'media_servers'],
  ['upload failed: cancellation undefined', 'media'],
  ['anything', 'media'],
])('a file that fails with %j is a definite, named failure: %s', async (words, reason) => {
  const failed = outbox().box.dispatch(photo(), LIMIT_MS, () => Promise.reject(new Error(words)));
  expect(await failureOf(failed)).toEqual({ certain: true, reason });
});

test('a message that the gate held back may be dispatched again, one that passed it may not', async () => {
  let mayDispatch = false;
  const { box } = outbox(async () => mayDispatch);
  const one = message();
  const submit = async () => {
    if (!(await box.openGate(one.waMessageId, rightDraft(one)))) throw new Error(HOOK_ERRORS.heldBack);
  };
  const held = failureOf(box.dispatch(one, LIMIT_MS, submit));
  expect(await failureOf(box.dispatch(one, LIMIT_MS, submit))).toEqual({ certain: false, reason: 'page' });
  expect(await held).toEqual({ certain: true, reason: 'fenced' });
  mayDispatch = true;
  await box.dispatch(one, LIMIT_MS, submit);
  expect(await failureOf(box.dispatch(one, LIMIT_MS, submit))).toEqual({ certain: false, reason: 'page' });
});

describe('the page’s reports on an accepted message', () => {
  test.each([
    ['Error: encryption fail: no session', 'encryption'],
    ['Error: sendMsg called before startComms', 'disconnected'],
    [`Error: ${HOOK_ERRORS.disconnected}`, 'disconnected'],
    [`Error: ${HOOK_ERRORS.heldBack}`, 'late'],
  ])('a job that rejects with %j is a definite failure: %s', async (error, reason) => {
    const { box, failures, taken } = outbox();
    const id = await taken();
    const through = reason !== 'late' && !error.includes(HOOK_ERRORS.disconnected);
    if (through) expect(await box.mayWrite(id)).toBe(true);
    box.report(id, { step: 'jobFailed', error, through });
    expect(failures.get(id)).toMatchObject({ certain: true, reason });
    expect(await box.mayWrite(id)).toBe(false);
  });

  test.each([
    'Error: stream closed',
    'Error: encryptAndSendMsg: the stream has ended',
    'Error: encryptAndSendMsg timed out',
    'SocketError: connection reset',
    'TypeError: r: r',
    'ServerStatusCodeError: internal-server-error',
    'ParsingError: attribute t is missing',
  ])(
    'a job that rejects with another error (%s) may have sent, whatever the page reports afterwards',
    async (error) => {
      const { box, failures, taken, acks } = outbox();
      const id = await taken();
      await box.mayWrite(id);
      box.report(id, { step: 'jobFailed', error, through: true });
      box.report(id, { step: 'flagged' });
      expect(failures.size).toBe(0);
      box.acknowledged(id, 1);
      expect(acks).toEqual([[id, 1, null]]);
    },
  );

  test('a job that rejects with any error before its gate is a definite failure', async () => {
    const { box, failures, taken } = outbox();
    const id = await taken();
    box.report(id, { step: 'jobFailed', error: 'TypeError: r: r', through: false });
    expect(failures.get(id)).toMatchObject({ certain: true, reason: 'page' });
  });

  test('a second job of a message that fails before its gate says nothing about the first', async () => {
    const { box, failures, taken } = outbox();
    const id = await taken();
    await box.mayWrite(id);
    box.report(id, { step: 'jobFailed', error: 'Error: sendPing called before startComms', through: false });
    expect(failures.size).toBe(0);
  });

  test('a refusal has its code, and the message never passes the gate afterwards', async () => {
    const { box, acks, taken } = outbox();
    const id = await taken();
    await box.mayWrite(id);
    box.report(id, { step: 'job', error: 463 });
    box.report(id, { step: 'ack', ack: -1 });
    expect(acks).toEqual([[id, -1, 463]]);
    expect(await box.mayWrite(id)).toBe(false);
  });

  test('the page resends a group message after 421, and the second answer counts', async () => {
    const { box, acks, taken } = outbox();
    const id = await taken(outgoing('120363000000000000@g.us', { type: 'text', body: 'x' }));
    await box.mayWrite(id);
    box.report(id, { step: 'refused', error: 421 }); // the stanza comes first
    box.report(id, { step: 'job', error: 421 });
    expect(acks).toEqual([]);
    expect(await box.mayWrite(id)).toBe(true);
    box.report(id, { step: 'job', error: 421 });
    expect(acks).toEqual([[id, -1, 421]]);
  });

  test('a blocked contact is a definite failure at once', async () => {
    const { box, failures, taken } = outbox();
    const id = await taken();
    box.report(id, { step: 'notSent', error: 'Error: Contact is blocked' });
    expect(failures.get(id)).toMatchObject({ certain: true, reason: 'contact_blocked' });
  });

  test('the highest of several acknowledgements counts, from any source', async () => {
    const { box, acks, taken } = outbox();
    const id = await taken();
    box.acknowledged(id, 2);
    box.report(id, { step: 'ack', ack: 1 });
    box.report(id, { step: 'ack', ack: -1 });
    box.report(id, { step: 'job', error: null });
    box.report(id, { step: 'flagged' });
    expect(acks).toEqual([[id, 2, null]]);
  });
});

test.each([-2, -3, -5])(
  'an acknowledgement %i, which the page gives without the server, decides nothing',
  async (ack) => {
    const { box, acks, failures, taken } = outbox();
    const id = await taken();
    box.acknowledged(id, ack);
    box.report(id, { step: 'ack', ack });
    expect(acks).toEqual([]);
    expect(failures.size).toBe(0);
    box.acknowledged(id, 1);
    expect(acks).toEqual([[id, 1, null]]);
  },
);

test('in a later document only an acceptance of a message counts, because the page refuses what it resumes', () => {
  const { box, acks } = outbox();
  box.acknowledged('3EB0EARLIER', -1);
  box.report('3EB0EARLIER', { step: 'ack', ack: -1 });
  expect(acks).toEqual([]);
  box.acknowledged('3EB0EARLIER', 2);
  expect(acks).toEqual([['3EB0EARLIER', 2, null]]);
});

describe('a message that the page reaches late', () => {
  test('is checked again, and a refusal is definite', async () => {
    let allowed = true;
    const { box, failures, taken } = outbox(async () => allowed);
    const id = await taken();
    allowed = false; // the caller no longer waits for it
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    try {
      expect(await box.mayWrite(id)).toBe(false);
    } finally {
      vi.restoreAllMocks();
    }
    box.report(id, { step: 'jobFailed', error: `Error: ${HOOK_ERRORS.heldBack}`, through: false });
    expect(failures.get(id)).toMatchObject({ certain: true, reason: 'late' });
  });

  test('is not sent once it was abandoned between the gate and the job', async () => {
    const { box, taken } = outbox();
    await box.mayWrite(await taken()); // shows that this page’s jobs ask at their gate
    const one = message();
    const failed = box.dispatch(one, 20, async () => {
      await box.openGate(one.waMessageId, rightDraft(one));
      return never;
    });
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'timeout' });
    expect(await box.mayWrite(one.waMessageId)).toBe(false);
  });

  test('is stopped when its time is over, unless its job passed the gate', async () => {
    const { box, failures, taken } = outbox();
    const early = await taken();
    expect(box.giveUp(early)).toMatchObject({ certain: false }); // no job of this page has ever asked
    const written = await taken();
    await box.mayWrite(written);
    expect(box.giveUp(written)).toMatchObject({ certain: false });
    const waiting = await taken();
    expect(box.giveUp(waiting)).toMatchObject({ certain: true, reason: 'late' });
    expect(await box.mayWrite(waiting)).toBe(false);
    expect(box.giveUp(waiting)).toMatchObject({ certain: false });
    box.report(waiting, { step: 'jobFailed', error: `Error: ${HOOK_ERRORS.heldBack}`, through: false });
    expect(failures.size).toBe(0); // it was returned
    const acknowledged = await taken();
    box.acknowledged(acknowledged, 1);
    expect(box.giveUp(acknowledged)).toMatchObject({ certain: false });
  });

  test('stays unknown when its job passed the gate, and where no job has ever asked', async () => {
    const { box } = outbox();
    const given = (through: boolean) => {
      const one = message();
      return failureOf(
        box.dispatch(one, 20, async () => {
          await box.openGate(one.waMessageId, rightDraft(one));
          if (through) await box.mayWrite(one.waMessageId);
          return never;
        }),
      );
    };
    expect(await given(false)).toEqual({ certain: false, reason: 'timeout' });
    expect(await given(true)).toEqual({ certain: false, reason: 'timeout' });
  });
});

test('a message that the page could not store definitely failed, and its job is stopped', async () => {
  const { box } = outbox();
  const one = message();
  const failed = box.dispatch(one, LIMIT_MS, async () => {
    await box.openGate(one.waMessageId, rightDraft(one));
    throw new Error(`${HOOK_ERRORS.notAdded}ModelCreateError`);
  });
  expect(await failureOf(failed)).toEqual({ certain: true, reason: 'storage' });
  expect(await box.mayWrite(one.waMessageId)).toBe(false);
});

test('a message is removed from the gates before it is reported as not sent', async () => {
  const { box } = outbox();
  const one = message();
  const failed = box.dispatch(one, 20, () => never);
  const late = failed.catch(() => box.openGate(one.waMessageId, rightDraft(one)));
  expect(await late).toBe(false);
  expect(await box.mayWrite(one.waMessageId)).toBe(false);
});

describe('the gate', () => {
  test('lets a message pass once while it is dispatched', async () => {
    const { box } = outbox();
    const one = message();
    const passes: boolean[] = [];
    await box.dispatch(one, LIMIT_MS, async () => {
      passes.push(
        await box.openGate(one.waMessageId, rightDraft(one)),
        await box.openGate(one.waMessageId, rightDraft(one)),
      );
    });
    passes.push(
      await box.openGate(one.waMessageId, rightDraft(one)),
      await box.openGate('3EB0UNHEARDOF', rightDraft(one)),
    );
    expect(passes).toEqual([true, false, false, false]);
  });

  test('stays closed for a message that was abandoned during the fence check', async () => {
    const fence = Promise.withResolvers<boolean>();
    const { box } = outbox(() => fence.promise);
    const one = message();
    let passed: Promise<boolean> | undefined;
    const failed = box.dispatch(one, 20, () => {
      passed = box.openGate(one.waMessageId, rightDraft(one));
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
  ])('stays closed when the fence %s', async (_, mayDispatch) => {
    const { box } = outbox(mayDispatch);
    const one = message();
    const failed = box.dispatch(one, LIMIT_MS, async () => {
      if (!(await box.openGate(one.waMessageId, rightDraft(one)))) throw new Error('held back');
    });
    expect(await failureOf(failed)).toEqual({ certain: true, reason: 'fenced' });
  });

  test('once open, leaves every failure unknown except a refusal', async () => {
    const { box, acks } = outbox();
    const through = async (then: (id: string) => Promise<unknown>) => {
      const one = message();
      return failureOf(
        box.dispatch(one, LIMIT_MS, async () => {
          await box.openGate(one.waMessageId, rightDraft(one));
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

test('a sent message stays in doubt until it is acknowledged or the connection proves good', async () => {
  const { box, acks } = outbox();
  const [answered, waiting] = [message(), message()];
  for (const one of [answered, waiting]) {
    await box.dispatch(one, LIMIT_MS, () => box.openGate(one.waMessageId, rightDraft(one)));
  }
  box.acknowledged(answered.waMessageId, 0); // only added to the page
  expect(box.unanswered()).toEqual([answered.waMessageId, waiting.waMessageId]);
  box.acknowledged(answered.waMessageId, 1);
  expect(box.unanswered()).toEqual([waiting.waMessageId]);
  box.forgetUnanswered([waiting.waMessageId]);
  expect(box.unanswered()).toEqual([]);
  expect(acks).toEqual([[answered.waMessageId, 1, null]]);
});
