import { expect, test } from 'vitest';
import { RESTORE_ALERTS, type RestoreFacts } from './restore-alert.ts';

const FACTS: RestoreFacts = {
  ...{ madeAt: '2026-11-25T20:47:00.139Z', rows: 155, moved: false, lost: '2 messages (2 sent)' },
  ...{ unknown: 1, expired: 2, toLink: 3 },
};
const wordsOf = (facts: Partial<RestoreFacts>) =>
  RESTORE_ALERTS.restored.words({ detail: JSON.stringify({ ...FACTS, ...facts }) });

test('the alert about a restore says from when the backup is, what was lost, and first what must not happen', () => {
  expect(wordsOf({})).toEqual({
    title: 'Wirebird was restored from a backup',
    what: 'The backup was made on 25 November 2026, 20:47:00 UTC. The records of this are lost: 2 messages (2 sent). Also lost: the log of requests, deliveries and reads of earlier messages, and other changes such as passwords and settings. 1 message is unknown and may have arrived. 2 messages expired and will not be sent. 3 numbers send nothing until linked again.',
    todo: 'Keep the programs that send paused: repeating a request made since the backup can send its message twice. Have each number linked again. Before an unknown message is sent again, look at its chat on the phone that sends. Ask the owners to send again what expired and is still needed. Ask customers to compare their requests after 25 November 2026, 20:47:00 UTC with the chats on their phones, and to repeat only what is in no chat. Then let programs send again.',
  });
});

test('after a move nothing but the links is lost, and programs need not wait', () => {
  const moved = { moved: true, lost: 'only the links to the phones', unknown: 0, expired: 0 };
  expect(wordsOf({ ...moved, toLink: 1 })).toEqual({
    title: 'Wirebird was moved to this machine',
    what: 'The backup was made with --move on 25 November 2026, 20:47:00 UTC. Lost: only the links to the phones. 1 number sends nothing until linked again.',
    todo: 'Have each number linked again.',
  });
  expect(wordsOf({ ...moved, toLink: 0 }).todo).toBe('Nothing.');
  expect(wordsOf({ ...moved, expired: 9, toLink: 0 }).what).toContain(
    'Lost besides what expired: only the links to the phones. 9 messages expired',
  );
});
