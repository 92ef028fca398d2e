import { expect, test } from 'vitest';
import { healthVerdict } from './health-view.tsx';

const WELL = {
  ...{ troubles: [], noneCanSend: false, needPerson: 0 },
  ...{ undecided: { messages: 0 }, unclear: { messages: 0 } },
};

test('everything is working only if nothing waits for a person', () => {
  expect(healthVerdict(WELL).title).toBe('Everything is working');
  expect(healthVerdict({ ...WELL, unclear: { messages: 11 } }).title).toBe(
    'The installation is working. 11 messages wait for a person’s decision',
  );
  expect(healthVerdict({ ...WELL, needPerson: 1, undecided: { messages: 1 } }).title).toBe(
    'The installation is working. 1 number needs its owner, 1 message waits for a person’s decision',
  );
});

test('the verdict after a restore names the unknown messages too, while no number can send', () => {
  const restored = { ...WELL, noneCanSend: true, needPerson: 2, unclear: { messages: 3 } };
  expect(healthVerdict(restored)).toEqual({
    title: 'No number can send. 3 messages wait for a person’s decision',
    lead: expect.stringContaining('no number is connected'),
  });
  expect(healthVerdict({ ...restored, troubles: [{ kind: 'no_worker', count: 1 }] }).title).toBe(
    '1 problem needs attention',
  );
});
