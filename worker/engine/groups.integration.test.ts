import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { personOf } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Rule } from '#server/sandbox/rule.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';

const ME = '491700000001';
const FOREIGN = '120363999999999999@g.us';

let engine: TemporaryEngine;
let me: Opened;
beforeAll(async () => {
  engine = await temporaryEngine({ groupSecondMs: 100 });
  await engine.control.addGroup({ phone: ME, name: 'Ahead', participants: ['12025550101', '12025550102'] });
  me = await engine.link('num_groups', ME, { groupMs: 300, membersMs: 3_000, callMs: 1_000 });
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(async () => {
  await engine.control.clearRules({ phone: ME });
});

const rule = (parts: Pick<Rule, 'action'> & { to?: string; times?: number }) =>
  engine.control.addRule({ phone: ME, rule: { stage: 'groups', ...parts } });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) =>
      error instanceof SendError ? { certain: error.certain, reason: error.reason } : error,
  );
const arrived = async (id: string) =>
  (await engine.control.inbox({ phone: ME })).some((entry) => entry.id === id);
/** How many members of a group the page knows; null if it has no chat with the group. */
const inPage = (group: string) =>
  me.client().pupPage?.evaluate((id) => {
    const site = window as unknown as {
      require(name: 'WAWebCollections'): {
        Chat: {
          getModelsArray(): { id: unknown; groupMetadata?: { participants: { length: number } } }[];
        };
      };
    };
    const chats = site.require('WAWebCollections').Chat.getModelsArray();
    const chat = chats.find((one) => String(one.id) === id);
    return chat ? (chat.groupMetadata?.participants.length ?? 0) : null;
  }, group);
async function sent(to: string): Promise<number> {
  const message = text(to, 'to a group');
  const begun = performance.now();
  await me.session.send(message);
  expect(await me.events.untilAck(message.waMessageId)).toBe(1);
  return performance.now() - begun;
}

test('groups are listed with their names and member counts', async () => {
  const groups = await me.session.listGroups();
  expect(groups.map(({ name }) => name).sort()).toEqual(['Ahead', 'Customers', 'Team']);
  expect(groups.find(({ name }) => name === 'Ahead')?.participants).toBe(3);
});

test('the page knows the members of each group before a first message goes there', async () => {
  for (const { id, participants } of await me.session.listGroups())
    await expect.poll(() => inPage(id)).toBe(participants);
});

test('the self-test builds a text to a group with which the page has a chat, and sends nothing', async () => {
  const failed = async () => {
    const { rows } = await me.session.check();
    return rows.flatMap(({ check, failed }) =>
      failed === null && check !== 'group' ? [] : [[check, failed]],
    );
  };
  const before = (await engine.control.inbox({ phone: ME })).length;
  const setAddress = (broken: boolean) =>
    me.client().pupPage?.evaluate((isBroken) => {
      interface Factory {
        asUserWidOrThrow(wid: unknown): unknown;
        kept?: Factory['asUserWidOrThrow'];
      }
      const site = window as unknown as { require(name: 'WAWebWidFactory'): Factory };
      const factory = site.require('WAWebWidFactory');
      factory.kept ??= factory.asUserWidOrThrow;
      factory.asUserWidOrThrow = isBroken
        ? () => {
            throw new Error('not a user');
          }
        : factory.kept;
    }, broken);
  expect(await failed()).toEqual([['group', null]]);
  await setAddress(true);
  expect(await failed()).toEqual([['group', 'not a user']]);
  await me.session.testKinds(['text'], { upload: false });
  await expect.poll(() => me.warned.join()).toContain('a text to a group fails its test');
  await setAddress(false);
  expect((await engine.control.inbox({ phone: ME })).length).toBe(before);
});

describe('a message to a group', () => {
  test('that the number has not joined never reaches the page: no chat is created, nothing is sent', async () => {
    const message = text(FOREIGN, 'foreign');
    expect(await failureOf(me.session.send(message))).toEqual({ certain: true, reason: 'recipient_unknown' });
    expect(me.fence.asked).not.toContain(message.waMessageId);
    expect(await inPage(FOREIGN)).toBeNull();
    expect((await me.session.listGroups()).map(({ id }) => id)).not.toContain(FOREIGN);
  });

  test('that the number has just joined is sent', async () => {
    await me.session.listGroups();
    const { id } = await engine.control.addGroup({ phone: ME, name: 'Joined' });
    await sent(id);
  });

  test('whose members are not known yet waits for them', async () => {
    const { id } = await engine.control.addGroup({ phone: ME, name: 'Slow' });
    await me.session.listGroups();
    await rule({ action: 'hang', to: id, times: 2 });
    expect(await sent(id)).toBeGreaterThan(1_000);
    expect(await sent(id)).toBeLessThan(1_000);
  });

  test('whose members the server does not return is certainly not sent: it would reach nobody', async () => {
    const { id } = await engine.control.addGroup({ phone: ME, name: 'Silent' });
    await me.session.listGroups();
    await rule({ action: 'hang', to: id, times: 50 });
    const message = text(id, 'to nobody');
    expect(await failureOf(me.session.send(message))).toEqual({ certain: true, reason: 'members' });
    expect(me.fence.asked).not.toContain(message.waMessageId);
    expect(me.events.states.at(-1)).toMatchObject({ state: 'ready' });
  });
});

test('the last list is used when WhatsApp refuses to list the groups', async () => {
  const before = await me.session.listGroups();
  await rule({ action: 'ratelimit' });
  expect(await me.session.listGroups()).toEqual(before);
  await sent(before[0]?.id ?? '');
});

test('a refused look-up says so, and people known to the page are reachable without one', async () => {
  const [known, unknown] = ['491700000002', '491700000003'];
  expect(await me.session.lookUp(known)).toBe(`${known}@c.us`);
  await engine.control.addRule({ phone: ME, rule: { stage: 'exists', action: 'ratelimit' } });
  expect(await failureOf(me.session.lookUp(unknown))).toEqual({ certain: true, reason: 'look_ups' });
  expect(await me.session.canAddress(personOf(known))).toBe(true);
  expect(await me.session.canAddress(personOf(unknown))).toBe(false);
});

describe('without a list', () => {
  let other: Opened;
  beforeAll(async () => {
    const phone = '491700000009';
    await engine.control.addGroup({ phone, name: 'Early' });
    await engine.control.addRule({ phone, rule: { stage: 'groups', action: 'ratelimit', times: 50 } });
    other = await engine.link('num_nolist', phone, { callMs: 1_000 });
  });

  test('listing fails, and a message to a group fails definitely, without a claim about membership', async () => {
    await expect(other.session.listGroups()).rejects.toThrow('rate-overlimit');
    expect((await other.session.check()).rows.map(({ check }) => check)).not.toContain('group');
    const [group] = await engine.control.groups({ phone: '491700000009' });
    const message = text(group?.id ?? '', 'not known');
    expect(await failureOf(other.session.send(message))).toEqual({ certain: true, reason: 'page' });
    expect(await arrived(message.waMessageId)).toBe(false);
    await engine.control.clearRules({ phone: '491700000009' });
    await other.session.send(text(group?.id ?? '', 'known'));
  });

  test('a build that cannot list groups sends to those whose members include the number, and to no other', async () => {
    await other.client().pupPage?.evaluate(() => {
      interface Site {
        require(name: string): { queryAllGroups: unknown };
      }
      (window as unknown as Site).require('WAWebGroupQueryJob').queryAllGroups = undefined;
    });
    const { id } = await engine.control.addGroup({ phone: '491700000009', name: 'Later' });
    await other.session.send(text(id, 'to a group that was never listed'));
    expect(await failureOf(other.session.send(text(FOREIGN, 'foreign')))).toEqual({
      certain: true,
      reason: 'page',
    });
  });
});
