import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Restrictions } from '#server/sandbox/contract.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';

const ME = '491700000031';
const FREE: Restrictions = { timelock: null, cap: null, checkpoint: null };
const UNRESTRICTED = { timelock: null, cap: null, checkpoint: null };

// Private chats are addressed by phone number in older accounts and by LID in migrated ones.
describe.each([{ lidChats: false }, { lidChats: true }])('an account with lidChats $lidChats', (config) => {
  let engine: TemporaryEngine;
  let me: Opened;
  beforeAll(async () => {
    engine = await temporaryEngine(config);
    me = await engine.link('num_health', ME);
  });
  afterAll(() => engine[Symbol.asyncDispose]());

  const restrict = (change: Partial<Restrictions>, silently = false) =>
    engine.control.restrict({ phone: ME, restrictions: { ...FREE, ...change }, silently });
  const lock = (endsAt: number) => ({ state: 'VISIBLE' as const, endsAt, type: 'WEB_COMPANION_ONLY' });
  const send = async (digits: string) => {
    await me.session.lookUp(digits);
    const message = text(`${digits}@c.us`, 'hello');
    // A refusal can arrive while the page is still dispatching.
    await me.session.send(message).catch(() => {});
    const ack = await me.events.untilAck(message.waMessageId);
    return { ack, code: me.events.nackCodes.get(message.waMessageId) };
  };

  test('a number without restrictions is reported as such', async () => {
    expect(await me.session.health()).toEqual(UNRESTRICTED);
    expect(await me.session.health({ ask: true })).toEqual(UNRESTRICTED);
  });

  test('a timelock is reported with its kind and end, also after a restart of the browser', async () => {
    const before = me.events.healthChanges;
    const endsAt = Date.now() + 3_600_000;
    await restrict({ timelock: lock(endsAt) });
    const locked = { ...UNRESTRICTED, timelock: { kind: 'WEB_COMPANION_ONLY', until: endsAt } };
    await expect.poll(() => me.session.health()).toEqual(locked);
    await expect.poll(() => me.events.healthChanges).toBeGreaterThan(before);

    await me.session.stop();
    me = engine.open('num_health');
    await me.session.start();
    await me.events.untilState('ready');
    expect(await me.session.health()).toEqual(locked);
  });

  test('the server refuses a timelocked number’s messages to new people, and accepts those to known people', async () => {
    await restrict(FREE);
    expect(await send('491700000101')).toEqual({ ack: 1, code: undefined });
    await engine.control.receive({ phone: ME, from: '491700000102', body: 'may I ask?' });
    await me.events.until(({ wrote }) => (wrote.includes('491700000102') ? true : undefined));
    await restrict({ timelock: lock(Date.now() + 3_600_000) });
    expect((await send('491700000101')).ack).toBeGreaterThanOrEqual(1);
    expect((await send('491700000102')).ack).toBeGreaterThanOrEqual(1);
    expect(await send('491700000103')).toEqual({ ack: -1, code: 463 });
    const inbox = await engine.control.inbox({ phone: ME });
    expect(inbox.some(({ to }) => to === '491700000103@c.us')).toBe(false);
  });

  test('a person who writes is reported once by their phone number', async () => {
    const from = '491700000111';
    await engine.control.receive({ phone: ME, from, body: 'one' });
    await engine.control.receive({ phone: ME, from, body: 'two' });
    await engine.control.receive({ phone: ME, from: '491700000112', body: 'three' });
    await me.events.until(({ wrote }) => (wrote.includes('491700000112') ? true : undefined));
    expect(me.events.wrote.filter((digits) => digits === from)).toEqual([from]);
  });

  test('after a restart, people with a chat are reported, and those that WhatsApp refused are not', async () => {
    await restrict(FREE);
    const [writer, customer, refused] = ['491700000141', '491700000142', '491700000143'] as const;
    await engine.control.receive({ phone: ME, from: writer, body: 'wrote' });
    await me.events.until(({ wrote }) => (wrote.includes(writer) ? true : undefined));
    expect((await send(customer)).ack).toBeGreaterThanOrEqual(1);
    await restrict({ timelock: lock(Date.now() + 3_600_000) });
    expect((await send(refused)).ack).toBe(-1);

    await me.session.stop();
    me = engine.open('num_health');
    await me.session.start();
    await me.events.untilState('ready');
    await me.events.until(({ wrote }) =>
      wrote.includes(writer) && wrote.includes(customer) ? true : undefined,
    );
    expect(me.events.wrote).not.toContain(refused);
    await restrict(FREE);
  });

  test('a restriction without a notification is found when the page requests it', async () => {
    await restrict(FREE);
    await expect.poll(() => me.session.health()).toEqual(UNRESTRICTED);
    const endsAt = Math.ceil(Date.now() / 1000) * 1000 + 3_600_000;
    const cap = { status: 'CAPPED' as const, total: 20, used: 20, endsAt };
    await restrict({ timelock: lock(endsAt), cap, checkpoint: 'PASSKEY' }, true);
    expect(await me.session.health()).toEqual(UNRESTRICTED);
    expect(await send('491700000123')).toEqual({ ack: -1, code: 463 });
    expect(await me.session.health()).toEqual(UNRESTRICTED);
    expect(await me.session.health({ ask: true })).toEqual({
      timelock: { kind: 'WEB_COMPANION_ONLY', until: endsAt },
      cap: { status: 'CAPPED', total: 20, used: 20, until: endsAt },
      checkpoint: 'PASSKEY',
    });
    await restrict({ cap });
    expect(await send('491700000121')).toEqual({ ack: -1, code: 475 });
    await restrict({ checkpoint: 'CAPTCHA' });
    expect((await send('491700000122')).ack).toBeGreaterThanOrEqual(1);
    await restrict(FREE);
  });

  test('a checkpoint after login covers only the page: messages are sent, also after a restart of the browser', async () => {
    const screen = () => me.client().pupPage?.evaluate(() => document.body.innerText);
    const goesOn = async () => {
      expect(await screen()).toMatch(/Quick security check with Passkey.*Log out of WhatsApp Web/s);
      expect((await me.session.health()).checkpoint).toBe('PASSKEY');
      expect((await send('491700000101')).ack).toBeGreaterThanOrEqual(1);
      expect(await me.session.probe()).toBe(true);
    };
    await restrict({ checkpoint: 'PASSKEY' }, true);
    await me.session.health({ ask: true });
    await goesOn();

    await me.session.stop();
    // An unconnected page shows the check too. It must not count as a passkey request for linking.
    await engine.control.refuse({ phone: ME, reason: 500, times: 6 });
    me = engine.open('num_health');
    await me.session.start();
    await me.events.untilState('ready');
    expect(me.events.states.map(({ state }) => state)).not.toContain('passkey');
    await goesOn();
    await restrict(FREE);
    await expect.poll(screen).not.toMatch(/Quick security check/);
  });

  test('a build without these modules starts, sends, and counts as unrestricted', async () => {
    await using bare = await temporaryEngine({
      ...config,
      absentModules: [
        'WAWebGetReachoutTimelockJob',
        'WAWebReachoutTimelockUtils',
        'WAWebUserPrefsIndexedDBStorage',
        'WAWebGetNewChatMessageCappingInfoJob',
        'WAWebIndividualNewChatMessageCappingLimitUtils',
      ],
    });
    const bob = await bare.link('num_bare', ME);
    expect(await bob.session.health({ ask: true })).toEqual(UNRESTRICTED);
    await bob.session.lookUp('491700000131');
    const message = text('491700000131@c.us', 'hello');
    await bob.session.send(message);
    expect(await bob.events.untilAck(message.waMessageId)).toBe(1);
  });
});
