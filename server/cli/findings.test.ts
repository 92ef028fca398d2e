import { expect, test } from 'vitest';
import { type Finding, findingsJson, findingsLines, isHealthy } from './findings.ts';

const FINE: Finding = { check: 'clock', ok: true, found: "3 ms from the database's", todo: '' };
const OFF: Finding = {
  ...{ check: 'mail', ok: true, found: 'off: alerts are in the dashboard only. Set SMTP_URL', todo: '' },
  ...{ says: 'off, so alerts are in the dashboard only', warning: 'Set SMTP_URL.' },
};
const FULL: Finding = {
  ...{
    check: 'disk',
    ok: false,
    found: '90 MiB free at /data\n(media)',
    todo: 'Make room: 300 MiB should be free.',
  },
};

test('people read one line for each check, with its mark, what was found and what to do', () => {
  expect(findingsLines([FINE, OFF, FULL])).toEqual([
    "ok       Clock: 3 ms from the database's.",
    'warning  Mail: off, so alerts are in the dashboard only. Set SMTP_URL.',
    'problem  Disk: 90 MiB free at /data (media). Make room: 300 MiB should be free.',
    '',
    '1 problem, 1 warning.',
  ]);
  expect(findingsLines([FINE]).at(-1)).toBe('No problems.');
  expect(findingsLines([OFF, OFF]).at(-1)).toBe('No problems, 2 warnings.');
});

test('programs read each check with what was found and what to do, and nothing that is for people', () => {
  const { check, ok, found, todo } = OFF;
  expect(findingsJson([FINE, OFF, FULL])).toEqual({
    healthy: false,
    checks: [FINE, { check, ok, found, todo }, FULL],
  });
});

test('a warning is not a problem', () => {
  expect([isHealthy([FINE, OFF]), isHealthy([FINE, FULL])]).toEqual([true, false]);
});
