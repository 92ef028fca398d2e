import { expect, test } from 'vitest';
import { Cause, PLAIN_CAUSES, parseCause } from './cause.ts';
import { sayCause } from './say.ts';

/** One of each kind that has parameters. */
const WITH_PARAMETERS: Cause[] = [
  { code: 'logged_out', reason: null },
  { code: 'logged_out', reason: 'user_initiated' },
  { code: 'ban', why: '101', until: null, startsAgain: false },
  { code: 'ban', why: '', until: '2026-11-28T12:30:00.000Z', startsAgain: false },
  { code: 'ban', why: '102', until: '2026-11-28T12:30:00.000Z', startsAgain: true },
  { code: 'login_refused', status: '500' },
  ...(['missing', 'openFiles', 'processes', 'unknown'] as const).map(
    (failure): Cause => ({ code: 'browser_failed', failure }),
  ),
  ...(['other', 'not_the_replacement', 'in_use'] as const).map(
    (why): Cause => ({ code: 'phone_refused', why, stillListed: why === 'in_use' }),
  ),
  ...(['too_many', 'bad_number', 'page'] as const).map((why): Cause => ({ code: 'no_pairing_code', why })),
  { code: 'pairing_codes_used_up', minutes: 1 },
  { code: 'pairing_codes_used_up', minutes: 20 },
  { code: 'phone_changes', phone: '4915228810007' },
  { code: 'phone_kept', phone: '4915228810007' },
  { code: 'build_changed', build: '2.3000.7', what: 'messages do not pass the gate' },
  { code: 'build_replaced', build: '2.3000.7', what: 'messages do not pass the gate', good: '2.3000.6' },
  { code: 'build_left', build: '2.3000.7', good: '2.3000.6', failed: true },
  { code: 'build_left', build: '2.3000.7', good: '2.3000.6', failed: false },
  { code: 'build_not_accepted', build: '2.3000.7' },
  { code: 'build_not_stored', build: '2.3000.5', stored: [] },
  { code: 'build_not_stored', build: '2.3000.5', stored: ['2.3000.6', '2.3000.7'] },
  { code: 'stranded', host: 'alder' },
  { code: 'restored', madeAt: '2026-11-28T12:30:00.000Z', lost: true },
  { code: 'restored', madeAt: '2026-11-28T12:30:00.000Z', lost: false },
  { code: 'legacy', text: 'A sentence of an earlier version.' },
];
const CAUSES: readonly Cause[] = [...PLAIN_CAUSES.map((code): Cause => ({ code })), ...WITH_PARAMETERS];

test('each cause is worded, and its wording is reviewed in one file', async () => {
  const said = CAUSES.map((cause) => {
    const { code, ...params } = cause;
    const given = Object.keys(params).length > 0 ? ` ${JSON.stringify(params)}` : '';
    return `${code}${given}\n  ${sayCause(cause, { timeZone: 'Europe/Berlin' })}`;
  });
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./causes.golden.txt');
});

test('each kind of cause has an example above', () => {
  const kinds = Cause.options.flatMap(({ shape: { code } }) =>
    'options' in code ? code.options : [...code.values],
  );
  expect(new Set(CAUSES.map(({ code }) => code))).toEqual(new Set(kinds));
});

test('a cause survives its column; one that only a later version knows reads as none', () => {
  for (const cause of CAUSES) expect(parseCause(JSON.parse(JSON.stringify(cause)))).toEqual(cause);
  expect(parseCause({ code: 'something_new' })).toBeNull();
  expect(parseCause({ code: 'stranded' })).toBeNull();
  expect(parseCause(null)).toBeNull();
});
