import { expect, test } from 'vitest';
import { type HealthFacts, healthWords } from './number-health.ts';

const WELL: HealthFacts = {
  limit: null,
  timelockKind: null,
  capStatus: null,
  checkpoint: null,
  lookUpsPaused: false,
  messages: 0,
  notTaken: 0,
  people: 0,
  newPeople: 0,
};

test.each<[string, Partial<HealthFacts>, string, RegExp]>([
  ['nothing known', {}, 'good', /No restriction/],
  [
    'a timelock',
    { limit: 'timelock', timelockKind: 'DEFAULT', checkpoint: 'PASSKEY' },
    'limited',
    /start new conversations\.$/,
  ],
  [
    'a timelock of linked devices',
    { limit: 'timelock', timelockKind: 'WEB_COMPANION_ONLY' },
    'limited',
    /phone itself can/,
  ],
  ['the cap', { limit: 'cap', capStatus: 'CAPPED' }, 'limited', /used up/],
  ['a pause after refusals', { limit: 'pause' }, 'limited', /refused several/],
  ['a checkpoint', { checkpoint: 'PASSKEY', limit: 'budget' }, 'watch', /asks for a check/],
  ['a warning of the cap', { capStatus: 'FIRST_WARNING' }, 'watch', /almost used up/],
  ['every tenth message refused', { messages: 20, notTaken: 2 }, 'good', /No restriction/],
  ['more than every tenth refused', { messages: 20, notTaken: 3 }, 'watch', /not confirmed/],
  [
    'too few to say anything',
    { messages: 19, notTaken: 19, people: 19, newPeople: 19 },
    'good',
    /No restriction/,
  ],
  ['the budget', { limit: 'budget' }, 'watch', /as many new people/],
  ['mostly strangers', { people: 20, newPeople: 11 }, 'watch', /new to it/],
])('%s is shown with what to do', (_, facts, level, sentence) => {
  const words = healthWords({ ...WELL, ...facts });
  expect(words.level).toBe(level);
  expect(words.sentence).toMatch(sentence);
  if (level === 'good') expect(words.todo).toBeNull();
  else expect(words.todo).toMatch(/\w{4}/);
});
