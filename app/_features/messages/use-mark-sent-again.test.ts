import { expect, test } from 'vitest';
import { markSentAgain } from './use-mark-sent-again.ts';

test('a message that is sent again names its repeat in the loaded list, and no other row changes', () => {
  const [first, second] = ['msg_1', 'msg_2'].map((id, seq) => ({
    id,
    seq,
    status: 'failed',
    sentAgainAs: null,
  }));
  const list = {
    pages: [
      { rows: [second], next: 1 },
      { rows: [first], next: null },
    ],
    pageParams: [null, 1],
  };
  const marked = markSentAgain(list as Parameters<typeof markSentAgain>[0], { id: 'msg_1', as: 'msg_3' });
  expect(marked.pages.map(({ rows }) => rows)).toEqual([[second], [{ ...first, sentAgainAs: 'msg_3' }]]);
  const sent = { pages: [{ rows: [{ ...first, status: 'sent' as const }], next: null }], pageParams: [null] };
  expect(markSentAgain(sent as typeof marked, { id: 'msg_1', as: 'msg_3' })).toEqual(sent);
});
