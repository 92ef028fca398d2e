import { expect, test } from 'vitest';
import { keys } from '#app/_features/keys/words.ts';
import { selection } from '#app/_features/messages/selection-words.ts';
import { health } from '#app/_features/numbers/health-words.ts';
import { overview } from '#app/_features/overview/words.ts';
import { planStates } from '#app/_features/plan/state-words.ts';
import { shell } from '#app/_features/shell/words.ts';

test.each([
  ['the trial in the frame', shell.plan.trial(1), /: 1 message left/],
  ['the numbers of a plan', shell.plan.used(1, 1), /^1 of 1 number$/],
  ['the trial on the overview', overview.verdict.trialLead(1, false), /messages is left today/],
  ['the trial on the plan’s page', planStates.trial.text(1), /is left today/],
  ['the days of refused requests', overview.chart.refusedKept(1), /for 1 day\.$/],
  ['new people', health.newOf(1, 1, 'in 7 days'), /^1 of 1 person in 7 days$/],
  ['messages that were not taken', health.notTakenOf(1, 1, 'in 7 days'), /^1 of 1 message given/],
  ['a message to cancel', selection.cancelDialog(1).text, /^It is removed/],
  ['messages that may wait', keys.limits.messages('1'), /^1 message$/],
])('one is singular: %s', (_, text, singular) => {
  expect(text).toMatch(singular);
});
