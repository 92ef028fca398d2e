/** What `doctor` checks, with the name of each check in its readable output. */
const CHECKS = {
  settings: 'Settings',
  database: 'Database',
  migrations: 'Migrations',
  secrets: 'Secrets',
  room: 'Database disk',
  connections: 'Database connections',
  clock: 'Clock',
  workers: 'Processes',
  numbers: 'Numbers',
  counts: 'Counts',
  search: 'Message search',
  build: 'WhatsApp Web build',
  disk: 'Disk',
  browser: 'Browser',
  mail: 'Mail',
} as const;
export type Check = keyof typeof CHECKS;

/** The result of one check, and what to do if something is wrong. */
export interface Finding {
  check: Check;
  ok: boolean;
  found: string;
  /** Empty if there is nothing to do. */
  todo: string;
  /** `found` for people, where that reads better after the name of the check. Not in the JSON. */
  says?: string;
  /** What to do about something that is not a problem. Not in the JSON. */
  warning?: string;
}

/** The findings as programs read them. */
export function findingsJson(findings: readonly Finding[]) {
  return {
    healthy: isHealthy(findings),
    checks: findings.map(({ check, ok, found, todo }) => ({ check, ok, found, todo })),
  };
}

export const isHealthy = (findings: readonly Finding[]) => findings.every(({ ok }) => ok);

type Mark = 'ok' | 'warning' | 'problem';
const MARK_CHARS = 'problem'.length;

/** The findings as people read them: a line for each check, then how many are problems. */
export function findingsLines(findings: readonly Finding[]): string[] {
  const lines = findings.map((finding) => {
    const { check, found, says, todo, warning } = finding;
    const sentences = [says ?? found, todo, warning ?? ''].map(sentence).filter(Boolean);
    return `${markOf(finding).padEnd(MARK_CHARS)}  ${CHECKS[check]}: ${sentences.join(' ')}`;
  });
  return [...lines, '', summary(findings)];
}

function markOf({ ok, warning }: Finding): Mark {
  if (!ok) return 'problem';
  return warning === undefined ? 'ok' : 'warning';
}

/** On one line, with a full stop. */
function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' || /[.!?]$/.test(line) ? line : `${line}.`;
}

function summary(findings: readonly Finding[]): string {
  const count = (mark: Mark) => findings.filter((one) => markOf(one) === mark).length;
  const counted = (of: number, what: string) => `${of} ${what}${of === 1 ? '' : 's'}`;
  const [problems, warnings] = [count('problem'), count('warning')];
  const some = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  return `${problems === 0 ? 'No problems' : counted(problems, 'problem')}${some}.`;
}

/** What a check found: nothing to do. */
export const fine = (check: Check, found: string): Finding => ({ check, ok: true, found, todo: '' });

/** A problem, and what to do about it. */
export const wrong = (check: Check, found: string, todo: string): Finding => ({
  ...{ check, ok: false, found, todo },
});
