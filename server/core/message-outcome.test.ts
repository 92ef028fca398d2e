import { expect, test } from 'vitest';
import { FileProblem } from './file-problem.ts';
import { type MessageOutcome, OutcomeFact, parseOutcome, sayOutcome } from './message-outcome.ts';
import { MESSAGE_ERROR_CODES, OUTCOMES, outcomeOf } from './outcomes.ts';

const kindsIn = (shape: { options?: readonly string[]; values?: Set<unknown> }) =>
  shape.options ?? [...(shape.values ?? [])].map(String);
const FILE_PROBLEMS: FileProblem[] = [
  ...kindsIn(FileProblem.options[0].shape.problem).map((problem) => FileProblem.parse({ problem })),
  { problem: 'late', seconds: 45 },
  { problem: 'redirects', max: 5 },
  { problem: 'redirect_refused', why: 'url must begin with http:// or https://.' },
  { problem: 'status', status: 503, passes: true },
  { problem: 'status', status: 404, passes: false },
  { problem: 'invalid_http', broken: 'its length is given twice' },
  { problem: 'encoded', encoding: 'x-own' },
  { problem: 'encoded', encoding: null },
  { problem: 'pixels', width: 10_000, height: 6_000 },
  { problem: 'audio_not_read', format: 'WAV' },
  { problem: 'too_large', bytesMax: 100 * 1024 ** 2 },
  { problem: 'too_large', bytesMax: 1000 },
  { problem: 'share_full', usedBytes: 3 * 1024 ** 2 },
];
const PARAMETERS: MessageOutcome[] = [
  { errorCode: 'not_connected', outcome: { say: 'cause', cause: { code: 'banned' } } },
  { errorCode: 'deadline_passed', outcome: { say: 'sync', seconds: 1.5 } },
  { errorCode: 'unlinked', outcome: { say: 'replaced', label: 'Shop' } },
  { errorCode: 'unlinked', outcome: { say: 'replaced', label: '' } },
  ...[null, 421, 463, 77].flatMap((code) =>
    [false, true].map(
      (toGroup): MessageOutcome => ({ errorCode: 'send_failed', outcome: { say: 'refused', code, toGroup } }),
    ),
  ),
  { errorCode: 'media_unusable', outcome: { say: 'media_invalid' } },
  { errorCode: 'media_too_large', outcome: { say: 'media_too_large' } },
  ...FILE_PROBLEMS.map(
    (file): MessageOutcome => ({ errorCode: 'media_unusable', outcome: { say: 'file', file } }),
  ),
  { errorCode: 'send_failed', outcome: { say: 'detail', detail: 'A sentence of an earlier version.' } },
];
/** Of answers to requests: no message is stored with them. */
const OF_REQUESTS = ['noReason', 'answer', 'missing'];
const OUTCOMES_OF_MESSAGES = MESSAGE_ERROR_CODES.flatMap((errorCode): MessageOutcome[] => {
  const { says } = outcomeOf(errorCode);
  if (typeof says === 'string') return [{ errorCode, outcome: null }];
  return Object.entries(says ?? {})
    .filter(([say, sentence]) => typeof sentence === 'string' && !OF_REQUESTS.includes(say))
    .map(([say]) => ({ errorCode, outcome: OutcomeFact.parse({ say }) }));
}).concat(PARAMETERS);
const BERLIN = { timeZone: 'Europe/Berlin' };

test('each outcome of a message is worded, and its wording is reviewed in one file', async () => {
  const said = OUTCOMES_OF_MESSAGES.map((of) => {
    const given = of.outcome ? ` ${JSON.stringify(of.outcome)}` : '';
    return `${of.errorCode}${given}\n  ${sayOutcome(of, BERLIN)}`;
  });
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./message-outcomes.golden.txt');
});

test('each key has a sentence', () => {
  const keys = OutcomeFact.options.flatMap(({ shape: { say } }) => kindsIn(say));
  const files = FileProblem.options.flatMap(({ shape: { problem } }) => kindsIn(problem));
  expect(new Set(FILE_PROBLEMS.map(({ problem }) => problem))).toEqual(new Set(files));
  expect(new Set(OUTCOMES_OF_MESSAGES.flatMap(({ outcome }) => outcome?.say ?? []))).toEqual(new Set(keys));
  expect(OUTCOMES_OF_MESSAGES.filter((of) => sayOutcome(of, BERLIN) === null)).toEqual([]);
});

test('a fact survives its column; one that only a later version knows reads as none, and has no sentence', () => {
  for (const { outcome } of OUTCOMES_OF_MESSAGES)
    expect(parseOutcome(JSON.parse(JSON.stringify(outcome)))).toEqual(outcome);
  expect(parseOutcome({ say: 'something_new' })).toBeNull();
  expect(parseOutcome({ say: 'replaced' })).toBeNull();
  expect(sayOutcome({ errorCode: 'deadline_passed', outcome: null }, BERLIN)).toBeNull();
  expect(sayOutcome({ errorCode: 'key_revoked', outcome: null }, BERLIN)).toBe(OUTCOMES.key_revoked.says);
});
