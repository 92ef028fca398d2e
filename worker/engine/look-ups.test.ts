import { expect, test } from 'vitest';
import { log } from '#server/platform/log.ts';
import type { Page } from './library.ts';
import { LookUps } from './look-ups.ts';
import type { Found } from './page/look-up.ts';

const ME = '491700000001';
const BOB = '491700000002';

/**
 * Look-ups on a page that gives these answers in turn. `asked` lists the chats that it was asked about, `logged` the
 * lines of the log.
 */
function people(...answers: (Found | { wid: string } | Error)[]) {
  const asked: string[] = [];
  const evaluate = async (_: unknown, chatId: string) => {
    asked.push(chatId);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const page = () => ({ evaluate }) as unknown as Page;
  const logged: string[] = [];
  const noting = log.child({}, { level: 'silent' });
  noting.warn = noting.error = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  return { asked, logged, them: new LookUps({ log: noting, page, call: (_, work) => work() }) };
}
const odd = { unexpected: 'object with exists' };
const refused = { status: 429, text: 'ServerStatusCodeError: rate-overlimit' };

test.each([`${ME}@c.us`, '10000000001@lid'] as const)(
  'the own number, found as %s, leaves look-ups on',
  async (wid) => {
    const { them } = people({ wid }, { wid: `${BOB}@c.us` }, { wid: null });
    expect(await them.checkOwn(ME)).toBe(true);
    expect(await them.lookUp(BOB)).toBe(`${BOB}@c.us`);
    expect(await them.lookUp(BOB)).toBeNull();
  },
);

test.each([[{ wid: null }], [{ wid: `${BOB}@c.us` as const }], [odd]])(
  'the own number answered with %j switches look-ups off: nobody is asked for any more',
  async (answer) => {
    const { them, asked } = people(answer);
    expect(await them.checkOwn(ME)).toBe(true);
    await expect(them.lookUp(BOB)).rejects.toMatchObject({ certain: true, reason: 'look_ups_changed' });
    expect(asked).toEqual([`${ME}@c.us`]);
  },
);

test('after too many look-ups at the start the next one is refused without a request, and the one after it is requested', async () => {
  const { them, asked } = people(refused, { wid: `${BOB}@c.us` });
  expect(await them.checkOwn(ME)).toBe(true);
  await expect(them.lookUp(BOB)).rejects.toMatchObject({ certain: true, reason: 'look_ups' });
  expect(asked).toHaveLength(1);
  expect(await them.lookUp(BOB)).toBe(`${BOB}@c.us`);
});

test('look-ups continue when the look-up of the own number fails', async () => {
  const { them } = people(new Error('the look-up: no answer'), { wid: `${BOB}@c.us` });
  expect(await them.checkOwn(ME)).toBe(false);
  expect(await them.lookUp(BOB)).toBe(`${BOB}@c.us`);
});

test.each(['553187654321@c.us', '10000000002@lid'] as const)(
  'a person is at the address that WhatsApp answers with: %s',
  async (wid) => {
    const { them, asked } = people({ wid });
    expect(await them.lookUp('5531987654321')).toBe(wid);
    expect(asked).toEqual(['5531987654321@c.us']);
  },
);

test('an invalid answer never counts as "not on WhatsApp"', async () => {
  const { them } = people(odd, refused);
  await expect(them.lookUp(BOB)).rejects.toMatchObject({ certain: true, reason: 'look_ups_changed' });
  await expect(them.lookUp(BOB)).rejects.toMatchObject({ certain: true, reason: 'look_ups' });
});

test('the log names no number and no hidden ID', async () => {
  for (const answer of [{ wid: `${BOB}@c.us` }, { status: 500, text: `Error: no session for ${BOB}@c.us` }]) {
    const { them, logged } = people(answer);
    await them.checkOwn(ME);
    expect(logged).toHaveLength(1);
    expect(logged.join()).not.toMatch(/4917/);
  }
});
