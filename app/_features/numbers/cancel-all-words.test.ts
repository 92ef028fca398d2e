import { expect, test } from 'vitest';
import { cancelAll } from './cancel-all-words.ts';

test('cancelling all says whether the messages wait or are scheduled', () => {
  const dialog = (waiting: number, scheduled: number) =>
    cancelAll.dialog({ name: 'Parcels', waiting, scheduled });
  expect(dialog(2, 0)).toMatchObject({
    title: 'Cancel 2 waiting messages?',
    text: 'All messages in the queue of Parcels are cancelled.',
    ends: ['Programs waiting for a response get 409', 'None of these messages will be sent'],
  });
  expect(dialog(1, 1)).toMatchObject({
    title: 'Cancel 1 scheduled message?',
    ends: ['None of these messages will be sent'],
  });
  expect(dialog(3, 1)).toMatchObject({
    title: 'Cancel 3 waiting messages?',
    text: 'All messages in the queue of Parcels are cancelled, 1 scheduled one included.',
  });
});
