import { delay, never } from './bytes.ts';
import { alternateOf } from './lids.ts';
import type { PageRule } from './protocol.ts';
import type { Wid } from './wid.ts';
import { call, onFrame, send } from './wire.ts';

/** Applies the fault rules of the virtual phone inside the page. */

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

/** Takes the first rule for a stage, and uses it once. */
export function takeRule(stage: PageRule['stage'], to?: Wid): PageRule | undefined {
  const rule = rules.find((r) => r.stage === stage && r.left > 0 && (r.to === undefined || isFor(r.to, to)));
  if (rule) rule.left--;
  return rule;
}

/** Applies a rule. Returns it afterwards, for actions that only the stage itself can apply. */
export async function applyRule(rule: PageRule | undefined): Promise<PageRule | undefined> {
  if (!rule || !(await call('spendRule', { ruleId: rule.id }))) return undefined;
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
