import { expect, test } from 'vitest';
import { READING } from '#server/testing/alert-reading.ts';
import { type LostRecords, RESTORE_ALERTS, type RestoreFacts, restoreWords } from './restore-alert.ts';

const FACTS: RestoreFacts = {
  ...{
    madeAt: '2026-11-25T20:47:00.139Z',
    rows: 155,
    moved: false,
    lost: '2 messages (2 sent)',
    lostNothing: false,
    lostMessages: 2,
    paused: false,
  },
  ...{ unknown: 1, expired: 2, toLink: 3 },
};
const wordsOf = (facts: Partial<RestoreFacts>) =>
  RESTORE_ALERTS.restored.words({ ...READING, facts: { ...FACTS, ...facts } });

test('the alert about a restore says from when the backup is, what was lost, and first what must not happen', () => {
  expect(wordsOf({})).toEqual({
    title: 'Wirebird was restored from a backup',
    what: 'The backup was made on 25 November 2026, 20:47:00 UTC. Lost: the records of 2 messages (2 sent). Also lost: the log of requests since then, later deliveries and reads, and other changes such as passwords and settings. 1 message is unknown and may have arrived. 2 messages expired and will not be sent. 3 numbers send nothing until linked again.',
    todo: [
      '1. Keep the programs that send paused. Wirebird no longer knows their requests since the backup, so a repeat can send a message twice.',
      '2. Have 3 numbers linked again.',
      '3. Before an unknown message is sent again, look at its chat on the phone that sends.',
      '4. Ask the owners to send again what expired and is still needed.',
      '5. Each account with missing records gets an alert. It asks to compare the requests after 25 November 2026, 20:47:00 UTC with the chats on the phone, and to repeat only what is in no chat. When that is done, let programs send again.',
    ].join('\n'),
  });
});

const address = 'Point the host name of Wirebird to this machine.';
const send = 'Programs can send as soon as their number is connected.';

test('after a move nothing but the links is lost, and programs need not wait', () => {
  const moved = { moved: true, lost: 'only the links to the phones', unknown: 0, expired: 0 };
  expect(wordsOf({ ...moved, toLink: 1 })).toEqual({
    title: 'Wirebird was moved from another machine',
    what: 'The backup was made with --move on 25 November 2026, 20:47:00 UTC. Lost: only the links to the phones. 1 number sends nothing until linked again.',
    todo: `1. ${address}\n2. Have 1 number linked again.\n3. ${send}`,
  });
  expect(wordsOf({ ...moved, toLink: 0 }).todo).toBe(`1. ${address}\n2. ${send}`);
  expect(wordsOf({ ...moved, expired: 9, toLink: 0 }).what).toContain(
    'Lost besides what expired: only the links to the phones. 9 messages expired',
  );
});

test('after a restore that lost no message programs need not wait, and an account only repeats its changes', () => {
  const nothing = { lost: 'no messages, accounts, keys or payments', lostNothing: true, lostMessages: 0 };
  expect(wordsOf(nothing).what).toContain('Lost: no messages, accounts, keys or payments.');
  expect(wordsOf({ lostMessages: 0, unknown: 0, expired: 0, toLink: 0 }).todo).toBe(send);
  const own = (lost: LostRecords) => RESTORE_ALERTS.records_lost.words({ ...READING, facts: lost });
  const { madeAt } = FACTS;
  expect(own({ madeAt, lost: '1 API key', messages: 0 }).todo).toBe('Make these changes again.');
  expect(own({ madeAt, lost: null, messages: null }).todo).toMatch(/^Pause your programs/);
});

test('a step that is done is no longer listed', () => {
  const steps = (left: { toLink: number; unknown: number }) => restoreWords(FACTS, left).steps.join(' ');
  expect(steps({ toLink: 1, unknown: 5 })).toContain('Have 1 number linked again. Before an unknown message');
  expect(steps({ toLink: 0, unknown: 0 })).not.toMatch(/linked again|unknown/);
  // A number that was away for another reason is no step of this restore.
  expect(restoreWords({ ...FACTS, toLink: 0 }, { toLink: 2, unknown: 0 }).steps.join(' ')).not.toContain(
    'linked again',
  );
});

test('a move after a restore does not let programs send that must wait', () => {
  const moved = { ...FACTS, moved: true, paused: true, unknown: 0, expired: 0, toLink: 0 };
  expect(restoreWords(moved).steps).toEqual([
    address,
    'Let programs send when the steps of the restore before are done.',
  ]);
});
