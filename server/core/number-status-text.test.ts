import { describe, expect, test } from 'vitest';
import { READING } from '#server/testing/alert-reading.ts';
import type { Access } from './access.ts';
import { ALERTS, type AlertKind } from './alerts.ts';
import { NUMBER_STATUSES, type NumberStatus } from './number-state.ts';
import { numberStatusErrorOf } from './number-status-errors.ts';
import {
  type NumberFacts,
  numberStatusText,
  queueMs,
  refusedMessagesSentence,
} from './number-status-text.ts';

const ACCESS: readonly Access[] = ['ok', 'none', 'expired', 'ended', 'suspended', 'excess'];
const QUEUES = [
  { waiting: 0, toDecide: 0, keptBack: 0, scheduled: 0 },
  { waiting: 3, toDecide: 0, keptBack: 0, scheduled: 0 },
  { waiting: 3, toDecide: 1, keptBack: 0, scheduled: 0 },
  { waiting: 3, toDecide: 3, keptBack: 0, scheduled: 0 },
  { waiting: 3, toDecide: 0, keptBack: 1, scheduled: 0 },
  { waiting: 3, toDecide: 0, keptBack: 3, scheduled: 0 },
  { waiting: 3, toDecide: 1, keptBack: 2, scheduled: 0 },
];
const TIMES = { since: '2 h', emptyIn: '24 s', keptIn: '5 h' };

/** Every combination of state, hold, access and queue. */
const ALL: NumberFacts[] = NUMBER_STATUSES.flatMap((status) =>
  [false, true].flatMap((held) =>
    ACCESS.flatMap((access) =>
      QUEUES.flatMap((queue) =>
        (status === 'RECONNECTING' ? (['', 'stranded', 'stopped'] as const) : ['']).map((why) => ({
          ...{ status, held, access, ...queue },
          stranded: why === 'stranded',
          sessionStop: why === 'stopped' ? ('plan' as const) : null,
          cause: null,
          statusReason: why === '' ? null : 'Its server does not answer.',
          phoneNumber: '491701234567',
          sendIntervalSeconds: 8,
          protected: false,
          closedToNew: false,
          failing: null,
        })),
      ),
    ),
  ),
);

const named = (number: NumberFacts) =>
  [
    number.status,
    number.held && 'held',
    number.access,
    `${number.waiting}/${number.toDecide}/${number.keptBack}`,
  ]
    .filter(Boolean)
    .join(' ');

describe('for every combination of state, hold, access and queue', () => {
  test.each(ALL.map((number) => [named(number), number] as const))(
    '%s: the page and the API agree',
    (_name, number) => {
      const words = numberStatusText(number, TIMES);
      const sync = numberStatusErrorOf(number, 'sync');
      const async = numberStatusErrorOf(number, 'async');
      const said = [words.sentence, words.queue];

      // The page says about new messages what the API answers.
      const status = { plan_inactive: '402', not_connected: '409' } as const;
      for (const text of [words.requests, words.sentence]) {
        expect(text.includes('402')).toBe(sync?.code === 'plan_inactive');
        expect(text.includes('409')).toBe(sync?.code === 'not_connected');
        expect(text.includes('Retry-After')).toBe(sync?.retryAfterSeconds !== undefined);
      }
      if (sync) expect(words.requests).toContain(status[sync.code]);
      else expect(words.requests).toMatch(/ (is|are) sent /);

      // Green, and an end of the queue, only if a sync message can be sent.
      expect(words.sign === 'CONNECTED').toBe(sync === null);
      expect(words.stop === null).toBe(sync === null);
      const moving = number.waiting - number.toDecide - number.keptBack;
      for (const text of [words.queue, words.waiting])
        expect(text.includes(TIMES.emptyIn)).toBe(sync === null && moving > 0);
      // No text promises that a new message waits if the API refuses it.
      const waits = said.some((text) => text.includes('accepted and wait'));
      expect(waits && async !== null).toBe(false);
      if (sync && !async) expect(words.requests).toContain('accepted and wait');

      // The texts mention everything that waits, and say which messages need a decision.
      expect(words.sentence.includes('for your decision')).toBe(number.toDecide > 0);
      expect(words.queue.includes('for your decision')).toBe(number.toDecide > 0);
      expect(words.queue.includes('until new people can be contacted')).toBe(number.keptBack > 0);
      expect(words.queue.includes(TIMES.keptIn)).toBe(sync === null && number.keptBack > 0);
      expect(words.queue === 'Nothing is waiting.').toBe(number.waiting === 0);
      expect(words.waiting === 'Nothing waiting').toBe(number.waiting === 0);
      expect(words.sentence).not.toMatch(/^messages wait|Nothing\.$| {2}|undefined|null/);

      // The refusal and its sentence name the same state.
      if (sync?.code === 'not_connected') expect(sync.numberStatus).toBe(number.status);
    },
  );
});

test('what page, list and API say is reviewed in one file: each state with each queue, and each plan and hold', async () => {
  const shown = ALL.filter(
    ({ access, held, waiting }) => (access === 'ok' && !held) || waiting === 0,
  ).flatMap((number) => [
    number,
    ...(number.waiting === 3 && number.toDecide === 0 ? [{ ...number, scheduled: 2 }] : []),
  ]);
  const said = shown.map((number) => {
    const words = numberStatusText(number, TIMES);
    const api = (['sync', 'async'] as const).map(
      (lane) => numberStatusErrorOf(number, lane)?.message ?? 'accepted',
    );
    return [
      [
        named(number),
        number.stranded && 'stranded',
        number.sessionStop && 'stopped',
        number.scheduled > 0 && '2 later',
      ]
        .filter(Boolean)
        .join(' '),
      `  page:  ${words.sentence}`,
      `  queue: ${words.queue}`,
      `  list:  ${words.name}. ${words.waiting}`,
      `  API:   ${[...new Set(api)].join(' | async: ')}`,
    ].join('\n');
  });
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./number/states.golden.txt');
});

test('an idle number does not read as sending', () => {
  const [idle] = ALL.filter(({ status, held, access }) => status === 'CONNECTED' && !held && access === 'ok');
  if (!idle) throw new Error('there is no such combination');
  expect(numberStatusText(idle, TIMES).sentence).toBe(
    'Connected for 2 h. A new message is sent within 8 seconds.',
  );
  expect(numberStatusText({ ...idle, waiting: 2 }, TIMES).sentence).toBe(
    'Connected for 2 h. Messages are sent every 8 seconds.',
  );
});

test('a logged-out number asks for the same phone number, not for the same phone', () => {
  const waiting = ALL.filter(
    (number) =>
      number.status === 'LOGGED_OUT' && number.access === 'ok' && !number.held && number.waiting > 0,
  );
  const [plain] = waiting.filter(({ toDecide, keptBack }) => toDecide + keptBack === 0);
  if (!plain) throw new Error('there is no such combination');
  expect(numberStatusText(plain, TIMES).queue).toContain(
    'After you link the same phone number, you decide whether they are sent.',
  );
});

test('a number whose phone number is being changed asks for the new phone only, one without a phone for a link', () => {
  const [idle] = ALL.filter(({ status, held, access }) => status === 'UNLINKED' && !held && access === 'ok');
  if (!idle) throw new Error('there is no such combination');
  const changing = {
    ...idle,
    statusReason: 'You changed the phone number to +49. Scan the code with that phone.',
  };
  expect(numberStatusText({ ...changing, replacementPhone: '49' }, TIMES).sentence).toBe(
    'No phone is linked right now. You changed the phone number to +49. Scan the code with that phone. New messages are refused (409) until it is connected.',
  );
  expect(numberStatusText({ ...idle, replacementPhone: null }, TIMES).sentence).toContain(
    'No phone is linked right now. Link it again to continue.',
  );
});

test('a number that was never linked asks for a phone only where one can be linked', () => {
  const [idle] = ALL.filter(({ status, held }) => status === 'UNLINKED' && !held);
  if (!idle) throw new Error('there is no such combination');
  const asks = (facts: Partial<NumberFacts>) =>
    numberStatusText({ ...idle, phoneNumber: null, network: 'whatsapp', ...facts }, TIMES).sentence;
  const link = /^No phone has been linked yet\. Link one to send messages\. /;
  expect(asks({ access: 'ok' })).toMatch(link);
  expect(asks({ access: 'none', network: 'sandbox' })).toMatch(link);
  expect(asks({ access: 'none' })).toBe(
    'No phone has been linked yet. Linking one needs a plan. Requests are refused (402) until the administrator enables a plan.',
  );
  expect(asks({ access: 'suspended' })).toMatch(/^No phone has been linked yet\. Requests are refused/);
  expect(asks({ access: 'ended', phoneNumber: '491701234567' })).not.toContain('Link it again');
});

test('a restricted number says that it cannot contact new people', () => {
  const [idle] = ALL.filter(({ status, held, access }) => status === 'CONNECTED' && !held && access === 'ok');
  if (!idle) throw new Error('there is no such combination');
  expect(numberStatusText({ ...idle, closedToNew: true }, TIMES).requests).toBe(
    'A new message is sent within 8 seconds. New people cannot be contacted at the moment. Health shows why and until when.',
  );
  expect(numberStatusText({ ...idle, closedToNew: true, held: true }, TIMES).requests).not.toContain(
    'New people',
  );
});

test('a protected number states its longest possible interval', () => {
  const [idle] = ALL.filter(({ status, held, access }) => status === 'CONNECTED' && !held && access === 'ok');
  if (!idle) throw new Error('there is no such combination');
  const kept = { ...idle, protected: true };
  expect(numberStatusText(kept, TIMES).requests).toBe('A new message is sent within 11 seconds.');
  expect(numberStatusText({ ...kept, waiting: 2 }, TIMES).requests).toBe(
    'Messages are sent every 8 to 11 seconds.',
  );
  expect([queueMs({ ...idle, waiting: 10 }), queueMs({ ...kept, waiting: 10 })]).toEqual([80_000, 92_000]);
});

test('an alert about a state says the same about new messages as the page', () => {
  const states: Partial<Record<AlertKind, NumberStatus>> = {
    logged_out: 'LOGGED_OUT',
    blocked: 'BLOCKED',
    conflict: 'CONFLICT',
    suspended: 'SUSPENDED',
    disconnected: 'RECONNECTING',
    recovered: 'CONNECTED',
  };
  for (const [kind, status] of Object.entries(states)) {
    const { what, todo } = ALERTS[kind as AlertKind].words(READING);
    expect(what).toContain(refusedMessagesSentence({ access: 'ok', status, held: false }));
    expect(todo).not.toMatch(/respond-async/);
  }
});
