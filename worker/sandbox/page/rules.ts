import { delay, never } from './bytes.ts';
import { alternateOf } from './lids.ts';
import type { PageRule } from './protocol.ts';
import type { Wid } from './wid.ts';
import { call, onFrame, send } from './wire.ts';

/** The faults that the virtual phone has ordered, carried out inside the page. */

const LATE_MS = 1000;
const BUSY_MS = 5000;

let rules: PageRule[] = [];

export function setRules(next: PageRule[]): void {
  rules = next;
}

export function listenForRules(): void {
  onFrame('rules', ({ seq, rules: next }) => {
    setRules(next);
    send({ t: 'confirm', seq });
  });
}

/** Takes the first rule for a stage, using up one of its strikes. */
export function takeRule(stage: PageRule['stage'], to?: Wid): PageRule | undefined {
  const rule = rules.find((r) => r.stage === stage && r.left > 0 && (r.to === undefined || isFor(r.to, to)));
  if (rule) rule.left--;
  return rule;
}

/** Carries a taken rule out. Gives it back when it has struck and is over, for actions that only the stage knows. */
export async function strike(rule: PageRule | undefined): Promise<PageRule | undefined> {
  if (!rule || !(await call('ruleStrikes', { ruleId: rule.id }))) return undefined;
  if (rule.action === 'busy') {
    blockFor(rule.ms ?? BUSY_MS);
    return rule;
  }
  await delay(rule.ms ?? (rule.action === 'late' ? LATE_MS : 0));
  if (rule.action === 'throw') throw new Error('simulated failure inside the page');
  if (rule.action === 'ratelimit')
    throw Object.assign(new Error('rate-overlimit'), {
      name: 'ServerStatusCodeError',
      status: 429,
      statusCode: 429,
    });
  if (rule.action === 'reload') location.reload();
  if (rule.action === 'reload' || rule.action === 'hang') await never;
  return rule;
}

function isFor(target: string, to: Wid | undefined): boolean {
  return to !== undefined && (to.equals(target) || alternateOf(to)?.equals(target) === true);
}

function blockFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
