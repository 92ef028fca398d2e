import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { verdictOf } from './verdict.ts';

const number = (of: Partial<NumberItem>) =>
  ({
    name: 'Workshop',
    status: 'CONNECTED',
    held: false,
    access: 'ok',
    waiting: 0,
    toDecide: 0,
    keptBack: 0,
    scheduled: 0,
    closedToNew: false,
    failing: null,
    ...of,
  }) as NumberItem;
const held = number({ held: true });
const verdict = (numbers: NumberItem[], of: Partial<Parameters<typeof verdictOf>[0]> = {}) =>
  Object.values(
    verdictOf({ numbers, stepsLeft: 0, planWorks: true, planEnded: null, trialLeft: null, ...of }),
  );

test('a held number does not read as sending', () => {
  expect(verdict([number({}), held])).toEqual([
    '1 of 2 numbers is on hold',
    'Workshop is on hold and sends nothing until you release it. 1 is sending normally.',
  ]);
  expect(verdict([held, number({ status: 'RECONNECTING' })])).toEqual([
    '1 of 2 numbers is not connected',
    'Workshop is on hold and sends nothing until you release it. Workshop: New messages are refused (409 with Retry-After) until it is connected.',
  ]);
  expect(verdict([held, number({ status: 'BLOCKED', statusReason: 'WhatsApp refused it.' })])[1]).toBe(
    'Workshop: WhatsApp refused it.',
  );
  expect(verdict([number({}), number({ status: 'RECONNECTING' })])[1]).toBe(
    'Workshop: New messages are refused (409 with Retry-After) until it is connected. The other one is sending normally.',
  );
  expect(verdict([number({})])).toEqual(['Your number is connected', 'Ready to send.']);
  expect(verdict([number({ waiting: 2 })])).toEqual(['Your number is connected', 'Messages are being sent.']);
  expect(verdict([number({ waiting: 2, scheduled: 2 })])[1]).toBe('Ready to send.');
});

test('a connected number does not hide messages of today that were not sent or are not confirmed', () => {
  const lead = (today: Parameters<typeof verdictOf>[0]['today']) => verdict([number({})], { today })[1];
  expect(lead({ failed: 1, unknown: 1 })).toBe('Not sent today: 1 failed. Not confirmed today: 1.');
  expect(lead({ failed: 0, unknown: 3 })).toBe('Not confirmed today: 3.');
  expect(lead({ cancelled: 5, refused: 2 })).toBe('Not sent today: 5 cancelled, 2 refused.');
  expect(lead({ expired: 1 })).toBe('Not sent today: 1 expired.');
});

test('messages of today that were sent again do not read as open', () => {
  const lead = (today: Parameters<typeof verdictOf>[0]['today'], sentAgain: typeof today) =>
    verdict([number({})], { today, sentAgain })[1];
  expect(lead({ failed: 1 }, { failed: 1 })).toBe('Not sent today: 1 failed (sent later).');
  expect(lead({ failed: 3, expired: 2 }, { failed: 1, expired: 2 })).toBe(
    'Not sent today: 3 failed (1 sent later), 2 expired (all sent later).',
  );
  expect(lead({ unknown: 1 }, { unknown: 1 })).toBe('Not confirmed today: 1 (sent later).');
});

test('messages that wait for a decision come first, except after a lost number', () => {
  expect(verdict([number({ waiting: 4, toDecide: 3 }), held])).toEqual([
    '3 messages need your decision',
    'On Workshop, messages were accepted before the number stopped sending. Open the number to send or discard them. New messages are sent as usual.',
  ]);
});

test('an ended plan comes first with its end date, and a plan that never began is a setup step', () => {
  const lost = [number({ status: 'LOGGED_OUT' })];
  const off = { planWorks: false, stepsLeft: 2 };
  const planEnded = 'The plan ended on 25 November 2026 at 00:00 (Europe/Berlin).';
  expect(verdict(lost, { ...off, planEnded })).toEqual(['Sending is stopped', planEnded]);
  expect(verdict(lost, off)[0]).toBe('Two steps to your first message');
  expect(verdict(lost, { ...off, stepsLeft: 'sandbox' })[0]).toBe('Send your first message');
});

test('numbers outside the plan need attention too, after lost numbers', () => {
  const lost = number({ name: 'Rentals', status: 'LOGGED_OUT', statusReason: 'Removed on the phone.' });
  const beyond = number({ name: 'Kiosk', access: 'excess' });
  expect(verdict([number({}), beyond, lost])).toEqual([
    '2 of 3 numbers need attention',
    'Rentals: Removed on the phone. 1 more is not included in the plan. The other one is sending normally.',
  ]);
  expect(verdict([number({}), beyond])[0]).toBe('1 of 2 numbers is not included in the plan');
});

test('an account on trial reads what is left of it', () => {
  const [title, lead] = verdict([number({})], { planWorks: false, trialLeft: 19 });
  expect(title).toBe('You are trying Wirebird');
  expect(lead).toContain('19 of 20 messages are left today');
  expect(lead).toContain('Request a plan');
  const [, waiting] = verdict([number({})], { planWorks: false, trialLeft: 19, planRequested: true });
  expect(waiting).toMatch(
    /today, only from the dashboard\. The administrator has your request for a plan\.$/,
  );
});
