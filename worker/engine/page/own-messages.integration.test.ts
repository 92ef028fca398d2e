import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Outgoing } from '#server/core/engine.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';
import { lidOf } from '../../sandbox/lid.ts';

const ME = '491700000001';
const BOB = '491700000002';
const CAROL = '491700000003';
const { rounds, messages } = inject('reconcile');

describe.each([{ lidChats: false }, { lidChats: true }])(
  'an account with lidChats $lidChats',
  ({ lidChats }) => {
    let engine: TemporaryEngine;
    let me: Opened;
    let group = '';
    beforeAll(async () => {
      engine = await temporaryEngine({ lidChats });
      me = await engine.link('num_own', ME);
      for (const digits of [ME, BOB, CAROL]) await me.session.lookUp(digits);
      group = (await me.session.listGroups())[0]?.id ?? '';
    });
    afterAll(() => engine[Symbol.asyncDispose]());

    /** Starts the same number in a new browser. */
    async function restart(): Promise<void> {
      await me.session.stop();
      me = engine.open('num_own');
      await me.session.start();
      await me.events.untilState('ready');
    }

    async function sendTo(to: string): Promise<Outgoing> {
      const message = text(to, 'to be found again');
      await me.session.send(message);
      expect(await me.events.untilAck(message.waMessageId)).toBeGreaterThanOrEqual(1);
      return message;
    }

    const KINDS = [
      { kind: 'a person', to: () => `${BOB}@c.us` },
      { kind: 'oneself', to: () => `${ME}@c.us` },
      { kind: 'a group', to: () => group },
    ];
    test.each(KINDS)(
      'sent messages to $kind are found after a start, and unsent ones are not',
      { timeout: 120_000 * rounds },
      async ({ to }) => {
        const sent: Outgoing[] = [];
        for (let count = 0; count < messages; count++) sent.push(await sendTo(to()));
        for (let round = 0; round < rounds; round++) {
          await restart();
          for (const message of sent)
            for (const byKey of [false, true])
              expect(await me.session.reconcile({ ...message, byKey })).toBeGreaterThanOrEqual(1);
          for (const byKey of [false, true])
            expect(await me.session.reconcile({ ...text(to(), 'never sent'), byKey })).toBeNull();
        }
      },
    );

    test('receipts that came while the number had no page are found after the start', async () => {
      await engine.control.setDelivery({ phone: ME, deliveredMs: 1_500, readMs: null });
      const message = await sendTo(`${BOB}@c.us`);
      await sendTo(`${BOB}@c.us`); // after a start the page holds only a chat's latest message
      await me.session.stop();
      const isDelivered = async () =>
        (await engine.control.inbox({ phone: ME })).some(
          ({ id, ack }) => id === message.waMessageId && ack === 2,
        );
      await expect.poll(isDelivered).toBe(true);
      expect(me.events.acks.get(message.waMessageId)).toEqual([1]);
      me = engine.open('num_own');
      await me.session.start();
      await me.events.untilState('ready');
      await expect.poll(() => me.session.reconcile(message)).toBe(2);
      expect(me.events.acks.has(message.waMessageId)).toBe(false);
    });

    test('a message that the page stores under its own key is found too', async () => {
      await engine.control.addRule({ phone: ME, rule: { stage: 'add', action: 'rekey' } });
      const message = await sendTo(`${CAROL}@c.us`);
      await sendTo(`${CAROL}@c.us`); // after a start the page holds only a chat's latest message
      await restart();
      expect(await me.session.reconcile(message)).toBeGreaterThanOrEqual(1);
    });

    test('a search creates no chat, and makes no look-up for a person never contacted', async () => {
      const chats = () =>
        me.client().pupPage?.evaluate(() => {
          const { Chat } = (window as unknown as Page).require('WAWebCollections');
          return Chat.getModelsArray().length;
        });
      const before = await chats();
      expect(await me.session.reconcile(text('491705550000@c.us', 'x'))).toBeNull();
      expect(await me.session.reconcile(text('120363999999999999@g.us', 'x'))).toBeNull();
      expect(await chats()).toBe(before);
    });

    test('the page’s keys match the simulated build', async () => {
      const keys = await me.client().pupPage?.evaluate(describeKeys, {
        me: `${ME}@c.us`,
        bob: `${BOB}@c.us`,
        group,
      });
      const field = inject('keyField');
      const plain = ['fromMe', 'remote', 'id', field];
      expect(keys).toEqual({
        mine: { text: `true_${BOB}@c.us_ID`, fields: plain, fromMe: true },
        theirs: { text: `false_${BOB}@c.us_ID`, fields: plain, fromMe: false },
        self: {
          text: `true_${ME}@c.us_ID_out`,
          fields: ['fromMe', 'remote', 'id', 'self', field],
          fromMe: true,
        },
        inGroup: {
          text: `true_${group}_ID_${ME}@c.us`,
          fields: ['fromMe', 'remote', 'id', 'participant', field],
          fromMe: true,
        },
        again: [`true_${BOB}@c.us_ID`, `true_${ME}@c.us_ID_out`, `true_${group}_ID_${ME}@c.us`],
        wid: `${BOB}@c.us`,
        refused: ['neither', 'both', 'text'],
      });
    });

    test('the page’s table and collection accept a key’s text', async () => {
      const message = await sendTo(`${BOB}@c.us`);
      const remote = lidChats ? lidOf(BOB) : `${BOB}@c.us`;
      const found = await me.client().pupPage?.evaluate(async (key) => {
        const site = window as unknown as Page;
        const { Msg } = site.require('WAWebCollections');
        const rejected = await Msg.getMessagesById([undefined]).catch((error: Error) => error.name);
        return {
          row: (await site.require('WAWebSchemaMessage').getMessageTable().get(key))?.ack,
          none: (await Msg.getMessagesById(['true_1@c.us_ID'])).messages.length,
          undefinedKey: Msg.get(undefined) === undefined,
          rejected,
        };
      }, `true_${remote}_${message.waMessageId}`);
      expect(found).toEqual({ row: expect.any(Number), none: 0, undefinedKey: true, rejected: 'DataError' });
      expect(found?.row).toBeGreaterThanOrEqual(1);
    });
  },
);

interface Key {
  fromMe: boolean;
}
interface Page {
  require(name: 'WAWebCollections'): {
    Chat: { getModelsArray(): unknown[] };
    Msg: {
      get(key: undefined): unknown;
      getMessagesById(keys: unknown[]): Promise<{ messages: unknown[] }>;
    };
  };
  require(name: 'WAWebSchemaMessage'): {
    getMessageTable(): { get(text: string): Promise<{ ack: number } | undefined> };
  };
  require(name: 'WAWebMsgKey'): { new (parts: object): Key; fromString(text: string): Key };
  require(name: 'WAWebWidFactory'): { createWid(text: string): { _serialized: string } };
}

/** How the page builds and parses keys; sent there as text. */
function describeKeys(ids: { me: string; bob: string; group: string }) {
  const site = window as unknown as Page;
  const MsgKey = site.require('WAWebMsgKey');
  const { createWid } = site.require('WAWebWidFactory');
  const [me, bob, group] = [createWid(ids.me), createWid(ids.bob), createWid(ids.group)];
  const id = 'ID';
  const describe = (key: Key) => ({ text: String(key), fields: Object.keys(key), fromMe: key.fromMe });
  const fails = (parts: object) => {
    try {
      return !new MsgKey(parts);
    } catch {
      return true;
    }
  };
  const mine = new MsgKey({ from: me, to: bob, id, selfDir: 'in' });
  const self = new MsgKey({ from: me, to: me, id, selfDir: 'out' });
  const inGroup = new MsgKey({ from: me, to: group, id, participant: me, selfDir: 'out' });
  return {
    mine: describe(mine),
    theirs: describe(new MsgKey({ from: bob, to: me, id, selfDir: 'out' })),
    self: describe(self),
    inGroup: describe(inGroup),
    again: [mine, self, inGroup].map((key) => String(MsgKey.fromString(String(key)))),
    wid: bob._serialized,
    refused: Object.entries({
      neither: { id },
      both: { id, from: me, to: bob, fromMe: true, remote: bob },
      text: { id, from: ids.me, to: ids.bob },
    }).flatMap(([name, parts]) => (fails(parts) ? [name] : [])),
  };
}
