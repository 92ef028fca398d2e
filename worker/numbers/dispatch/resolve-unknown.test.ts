import pino from 'pino';
import { expect, test } from 'vitest';
import { personOf } from '#server/core/recipient.ts';
import { resolveUnknown } from './resolve-unknown.ts';

const log = pino({ level: 'silent' });
const AT_ONCE = [0, 0, 0];
const messages = ['first', 'second'].map((waMessageId) => ({
  waMessageId,
  address: personOf('4915228817386'),
}));

/** A page that gives these answers for each message, one per question. */
function pageThatAnswers(answers: Record<string, (number | null | Error)[]>) {
  const asked: string[] = [];
  const reported: [string, number][] = [];
  return {
    asked,
    reported,
    session: {
      async reconcile({ waMessageId }: { waMessageId: string }) {
        asked.push(waMessageId);
        const answer = answers[waMessageId]?.shift() ?? null;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    dispatcher: {
      async ack(waMessageId: string, ack: number) {
        reported.push([waMessageId, ack]);
      },
    },
    log,
  };
}

test('a message that the page has not loaded yet or did not answer for is requested again', async () => {
  const page = pageThatAnswers({ first: [null, 1], second: [new Error('the page was busy'), 0, 2] });
  await resolveUnknown({ ...page, isOver: () => false }, { messages, afterMs: AT_ONCE });
  expect(page.reported).toEqual([
    ['first', 1],
    ['second', 0],
    ['second', 2],
  ]);
  expect(page.asked).toEqual(['first', 'second', 'first', 'second', 'second']);
});

test('a message whose outcome could not be stored does not count as resolved', async () => {
  const page = pageThatAnswers({ first: [1, 1] });
  let writes = 0;
  const dispatcher = {
    async ack(waMessageId: string, ack: number) {
      writes += 1;
      if (writes === 1) throw new Error('the database is away');
      await page.dispatcher.ack(waMessageId, ack);
    },
  };
  await resolveUnknown(
    { ...page, dispatcher, isOver: () => false },
    { messages: messages.slice(0, 1), afterMs: AT_ONCE },
  );
  expect(page.reported).toEqual([['first', 1]]);
  expect(page.asked).toHaveLength(2);
});

test('a message that the page never saw is requested a limited number of times and stays unknown', async () => {
  const page = pageThatAnswers({});
  await resolveUnknown(
    { ...page, isOver: () => false },
    { messages: messages.slice(0, 1), afterMs: AT_ONCE },
  );
  expect(page.reported).toEqual([]);
  expect(page.asked).toHaveLength(AT_ONCE.length);
});

test('an ended session gets no more requests', async () => {
  const page = pageThatAnswers({ first: [null], second: [null] });
  await resolveUnknown({ ...page, isOver: () => page.asked.length > 0 }, { messages, afterMs: AT_ONCE });
  expect(page.asked).toEqual(['first']);
});
