import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MessageContent } from '#server/core/message.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Rule } from '#server/sandbox/rule.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { outgoing, text } from '#worker/testing/engine-message.ts';

const ME = '491700000001';
const BOB = '491700000002';
const TO_BOB = `${BOB}@c.us`;
/** Well before an acknowledgement would be given up (30 s), even on a busy machine. */
const AT_ONCE_MS = 10_000;
/** Long enough to cut the connection meanwhile, even on a busy machine. */
const LONG_MS = 3_000;

/** For each step of a send: whether its failure is certain, and how soon it is reported. */
describe.each([{ lidChats: false }, { lidChats: true }])('an account with lidChats $lidChats', (config) => {
  let engine: TemporaryEngine;
  let me: Opened;
  let group: string;
  beforeAll(async () => {
    engine = await temporaryEngine({ ...config, uploadRetryMs: 20 });
    me = await engine.link('num_failures', ME, { sendMs: 5_000, sendMediaMs: 5_000, callMs: 1_000 });
    await me.session.lookUp(BOB);
    const [first] = await engine.control.groups({ phone: ME });
    group = first?.id ?? '';
    await sent(text(TO_BOB, 'the page’s job is known to ask'));
  });
  afterAll(() => engine[Symbol.asyncDispose]());
  afterEach(async () => {
    await engine.control.clearRules({ phone: ME });
    await engine.control.online({ phone: ME });
    await expect.poll(() => me.session.probe(), { timeout: 15_000 }).toBe(true);
    expect(await unexpected()).toEqual([]);
    expect(me.warned.filter((line) => line.includes('does not report the result of a send'))).toEqual([]);
  });

  const certain = new Set<string>();
  /** Messages that arrived although they were reported as not sent. */
  const unexpected = async () => (await arrivals()).filter((id) => certain.has(id));
  const arrivals = async () => (await engine.control.inbox({ phone: ME })).map(({ id }) => id);
  const rule = (given: Omit<Rule, 'times'> & { times?: number }) =>
    engine.control.addRule({ phone: ME, rule: given });
  async function sent(message: ReturnType<typeof text>): Promise<void> {
    await me.session.send(message);
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
  }
  /** The failure of a message that is not sent, whether the dispatch or a later step reports it. */
  async function failureOf(message: ReturnType<typeof text>): Promise<SendError> {
    const began = performance.now();
    const id = message.waMessageId;
    const failure = await me.session.send(message).then(
      () => me.events.until((events) => events.failures.get(id)),
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(SendError);
    const error = failure as SendError;
    if (error.certain) certain.add(id);
    expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
    return error;
  }
  /** Restores the connection and checks that messages leave. */
  async function back(): Promise<void> {
    await engine.control.online({ phone: ME });
    await expect.poll(() => me.session.probe(), { timeout: 15_000 }).toBe(true);
    await sent(text(TO_BOB, 'after the line came back'));
  }
  /** Checks that a late message does not leave, after waiting longer than its delay. */
  async function neverLeaves({ waMessageId }: ReturnType<typeof text>): Promise<void> {
    await sent(text(TO_BOB, 'after it was given up'));
    await rule({ stage: 'call', action: 'late', ms: 600 });
    await sent(text(TO_BOB, 'later still'));
    expect(await arrivals()).not.toContain(waMessageId);
  }
  const document = (content: MessageContent, mimeType: string) =>
    outgoing(TO_BOB, content, { mimeType, bytes: randomBytes(500) });
  const pdf = () =>
    document({ type: 'document', url: 'https://x.test/', filename: 'a.pdf' }, 'application/pdf');

  test('1: an invalid address is a definite failure', async () => {
    expect(await failureOf(text('12@nowhere', 'x'))).toMatchObject({
      certain: true,
      reason: 'recipient_unknown',
    });
  });

  test('2: a person without a known hidden id is a definite failure where chats use it, and is looked up elsewhere', async () => {
    const message = text('491700000003@c.us', 'never looked up');
    if (config.lidChats) {
      expect(await failureOf(message)).toMatchObject({ certain: true, reason: 'recipient_unknown' });
      expect(await arrivals()).not.toContain(message.waMessageId);
    } else await sent(message);
  });

  if (!config.lidChats) {
    test('2: a refused look-up during the send is a definite failure', async () => {
      await rule({ stage: 'exists', action: 'ratelimit' });
      const failure = await failureOf(text('491700000004@c.us', 'too many questions'));
      expect(failure).toMatchObject({ certain: true, reason: 'look_ups' });
    });

    test('2: a look-up answered too late is a definite failure, and nothing is sent', async () => {
      me.times.sendMs = 500;
      await rule({ stage: 'exists', action: 'late', ms: 900 });
      const message = text('491700000005@c.us', 'found too late');
      expect(await failureOf(message)).toMatchObject({ certain: true, reason: 'timeout' });
      me.times.sendMs = 5_000;
      await neverLeaves(message);
    });
  }

  test('3a: bytes that are no picture are a definite failure, before any upload', async () => {
    const picture = await document({ type: 'image', url: 'https://x.test/' }, 'image/png');
    expect(await failureOf(picture)).toMatchObject({ certain: true, reason: 'media_invalid' });
  });

  test.each([
    ['WAV', 'RIFF____WAVEfmt '],
    ['FLAC', 'fLaC'],
    ['OGG with Vorbis', 'OggS__vorbis'],
  ])('3a: audio that the page does not read (%s) is a definite failure of the file', async (_, start) => {
    const media = { mimeType: 'audio/wav', bytes: Buffer.from(start.padEnd(100, '_')) };
    const audio = outgoing(TO_BOB, { type: 'audio', url: 'https://x.test/' }, media);
    expect(await failureOf(audio)).toMatchObject({ certain: true, reason: 'media_invalid' });
  });

  test.each([
    ['3a: audio whose preparation hangs', 'audio/mpeg', { stage: 'prep', action: 'hang' }],
    ['3a: audio whose preparation is late', 'audio/mpeg', { stage: 'prep', action: 'late', ms: 900 }],
    ['3b: an upload that is late', 'application/pdf', { stage: 'upload', action: 'late', ms: 900 }],
    ['3b: one that is cancelled late', 'application/pdf', { stage: 'upload', action: 'cancel', ms: 900 }],
    ['3b: one that fails late', 'application/pdf', { stage: 'upload', action: 'fail', code: 413, ms: 900 }],
  ] as const)(
    '%s is abandoned as a definite failure, and its message is not sent later',
    async (_, mimeType, fault) => {
      me.times.sendMediaMs = 500;
      await rule(fault);
      const url = 'https://x.test/';
      const audio = mimeType === 'audio/mpeg';
      const file = await (audio ? document({ type: 'audio', url }, mimeType) : pdf());
      expect(await failureOf(file)).toMatchObject({ certain: true, reason: 'timeout' });
      me.times.sendMediaMs = 5_000;
      await neverLeaves(file);
    },
  );

  test('3b: an upload that is cancelled in time is a definite failure', async () => {
    await rule({ stage: 'upload', action: 'cancel', ms: 300 });
    expect(await failureOf(await pdf())).toMatchObject({ certain: true, reason: 'media' });
  });

  test.each([
    ['413', 413, 'media_too_large'],
    ['507', 507, 'media_throttled'],
    ['403', 403, 'media_forbidden'],
    ['500 four times', 500, 'media_servers'],
    ['no server for files', undefined, 'media_servers'],
  ])('3b: an upload that fails with %s is a definite failure with its reason', async (_, code, reason) => {
    await rule({ stage: 'upload', action: 'fail', times: 4, ...(code && { code }) });
    expect(await failureOf(await pdf())).toMatchObject({ certain: true, reason });
  });

  test('4: a message stopped at the gate is a definite failure', async () => {
    me.fence.open = false;
    const failure = await failureOf(text(TO_BOB, 'fenced'));
    me.fence.open = true;
    expect(failure).toMatchObject({ certain: true, reason: 'fenced' });
  });

  test('5: a message that the page cannot add is a definite failure', async () => {
    await rule({ stage: 'add', action: 'throw' });
    expect(await failureOf(text(TO_BOB, 'not added'))).toMatchObject({ certain: true, reason: 'storage' });
  });

  test('5: a blocked contact is a definite failure', async () => {
    await rule({ stage: 'job', action: 'blocked' });
    const failure = await failureOf(text(TO_BOB, 'blocked'));
    expect(failure).toMatchObject({ certain: true, reason: 'contact_blocked' });
  });

  test('6: a message that waits in the page is checked again, and stopped once nobody waits for it', async () => {
    await rule({ stage: 'job', action: 'late', ms: 1_500 });
    const message = text(TO_BOB, 'waits in the page');
    await me.session.send(message); // the page has accepted it
    me.fence.open = false; // the caller no longer waits
    const failure = await me.events.until((events) => events.failures.get(message.waMessageId));
    me.fence.open = true;
    certain.add(message.waMessageId);
    expect(failure).toMatchObject({ certain: true, reason: 'late' });
    await sent(text(TO_BOB, 'the next'));
  });

  test('6: a message behind an unanswered one of the same group stays unknown until it is sent', async () => {
    await rule({ stage: 'after', action: 'late', ms: 1_000, to: group });
    const [first, second] = [text(group, 'first'), text(group, 'second')];
    await me.session.send(first);
    await me.session.send(second);
    expect(me.events.acks.get(second.waMessageId)).toBeUndefined();
    expect(await me.events.untilAck(first.waMessageId)).toBeGreaterThanOrEqual(1);
    expect(await me.events.untilAck(second.waMessageId)).toBe(1);
    expect(me.events.failures.has(second.waMessageId)).toBe(false);
  });

  test('7: a message that cannot be encrypted is a definite failure', async () => {
    await rule({ stage: 'wire', action: 'encrypt' });
    const failure = await failureOf(text(TO_BOB, 'not encrypted'));
    expect(failure).toMatchObject({ certain: true, reason: 'encryption' });
  });

  test('9: a message whose line is lost before its job is a definite failure, and is not sent when the line is back', async () => {
    await rule({ stage: 'job', action: 'late', ms: LONG_MS });
    const message = text(TO_BOB, 'no line');
    await me.session.send(message);
    await engine.control.offline({ phone: ME });
    const failure = await me.events.until((events) => events.failures.get(message.waMessageId));
    certain.add(message.waMessageId);
    expect(failure).toMatchObject({ certain: true, reason: 'disconnected' });
    await back();
  });

  test('9: a message whose job passed the gate stays unknown, and is sent once when the line is back', async () => {
    await rule({ stage: 'wire', action: 'late', ms: LONG_MS });
    const message = text(TO_BOB, 'leaves late');
    await me.session.send(message);
    await engine.control.offline({ phone: ME });
    await expect.poll(() => me.session.probe(), { timeout: 10_000 }).toBe(false);
    expect(me.events.failures.has(message.waMessageId)).toBe(false);
    await back();
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    expect((await arrivals()).filter((id) => id === message.waMessageId)).toHaveLength(1);
  });

  test('10: a written but unanswered message stays unknown', async () => {
    await rule({ stage: 'after', action: 'hang' });
    const message = text(TO_BOB, 'no answer');
    await me.session.send(message);
    await expect.poll(arrivals, { timeout: 10_000 }).toContain(message.waMessageId);
    await sent(text(TO_BOB, 'answered'));
    expect(me.events.acks.has(message.waMessageId)).toBe(false);
    expect(me.events.failures.has(message.waMessageId)).toBe(false);
  });

  test.each([463, 475, 479, 421, 429, 500])(
    '11: a refusal with %i is a definite failure with its code',
    async (code) => {
      await rule({ stage: 'wire', action: 'refuse', code });
      const message = text(TO_BOB, 'refused');
      const failure = await me.session.send(message).catch((error: SendError) => error);
      expect(await me.events.untilAck(message.waMessageId)).toBe(-1);
      expect(me.events.nackCodes.get(message.waMessageId)).toBe(code);
      if (failure) expect(failure).toMatchObject({ certain: true, reason: 'refused', code });
      certain.add(message.waMessageId);
    },
  );

  test('11: the page resends a group message refused with 421, and it counts once', async () => {
    await rule({ stage: 'wire', action: 'refuse', code: 421 });
    const message = text(group, 'stale group');
    await sent(message);
    expect(me.events.acks.get(message.waMessageId)).not.toContain(-1);
    expect((await arrivals()).filter((id) => id === message.waMessageId)).toHaveLength(1);
  });

  test('12: a failure in the page after the server accepted counts as sent', async () => {
    await rule({ stage: 'after', action: 'throw' });
    await sent(text(TO_BOB, 'accepted'));
  });
});

test('a build whose job reports nothing still gets the reason of a refusal from the server’s stanza', async () => {
  await using engine = await temporaryEngine();
  const me = await engine.link('num_no_job', ME);
  await me.client().pupPage?.evaluate(() => {
    type Report = (id: string, what: { step: string }) => Promise<void>;
    const site = window as unknown as { wirebirdReport: Report };
    const report = site.wirebirdReport;
    site.wirebirdReport = async (id, what) => (what.step === 'job' ? undefined : report(id, what));
  });
  await me.session.lookUp(BOB);
  await engine.control.addRule({ phone: ME, rule: { stage: 'wire', action: 'refuse', code: 463 } });
  const refused = text(TO_BOB, 'refused');
  await me.session.send(refused).catch(() => {});
  expect(await me.events.untilAck(refused.waMessageId)).toBe(-1);
  expect(me.events.nackCodes.get(refused.waMessageId)).toBe(463);
  const accepted = text(TO_BOB, 'accepted');
  await me.session.send(accepted);
  expect(await me.events.untilAck(accepted.waMessageId)).toBeGreaterThanOrEqual(1);
});

test('7: without keys for the own phone, oneself and a group certainly get nothing, and other people are reached', async () => {
  await using engine = await temporaryEngine({ ownPhoneKeys: false });
  const { session, events } = await engine.link('num_no_keys', ME);
  await session.lookUp(BOB);
  const toBob = text(TO_BOB, 'arrives');
  await session.send(toBob);
  expect(await events.untilAck(toBob.waMessageId)).toBe(1);
  const [group] = await engine.control.groups({ phone: ME });
  for (const to of [`${ME}@c.us`, group?.id ?? '']) {
    const message = text(to, 'needs the own phone');
    const failure = await session.send(message).then(
      () => events.until(({ failures }) => failures.get(message.waMessageId)),
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ certain: true, reason: 'encryption' });
  }
  expect((await engine.control.inbox({ phone: ME })).map(({ id }) => id)).toEqual([toBob.waMessageId]);
});
