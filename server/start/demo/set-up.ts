import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { findAccount } from '#server/accounts/find-account.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { listApiKeys } from '#server/api-keys/list-api-keys.ts';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { linkNumber } from '#server/cli/link-number.ts';
import { planWorks } from '#server/core/access.ts';
import { AppError } from '#server/core/errors.ts';
import { SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { listNumbers } from '#server/numbers/get-number.ts';
import type { NumberView } from '#server/numbers/number-view.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { planOf } from '#server/plans/plan-of.ts';
import type { Database } from '#server/platform/db/client.ts';

export interface Demo {
  email: string;
  /** Null if the account was made with another data directory. */
  password: string | null;
  number: NumberView;
  key: string;
}

const EMAIL = 'demo@example.org';
const NAME = 'Demo';
const PLAN_DAYS = 365;
/** The audit log names the operator, who starts the demo on the command line. */
const actor = { kind: 'cli' } as const;

/**
 * The demo's account with a plan, its connected sandbox number and a new key. An existing account and number are
 * used again, and the earlier key is revoked.
 */
export async function setUpDemo(database: Database, dataDir: string): Promise<Demo> {
  const passwordFile = path.join(dataDir, 'demo-password');
  const accountId = await ensureAccount(database, passwordFile);
  if (!planWorks((await planOf({ database, accountId })).state)) {
    const paidUntil = new Date(Date.now() + PLAN_DAYS * 86_400_000).toISOString().slice(0, 10);
    await activatePlan({ database, accountId, actor }, { numbersIncluded: 1, paidUntil, note: NAME });
  }
  const number = await ensureNumber(database, accountId);
  const linked = await linkNumber({ database, accountId, actor }, { numberId: number.id, phone: undefined });
  const key = await renewKey(database, accountId, number.id);
  const password = fs.existsSync(passwordFile) ? fs.readFileSync(passwordFile, 'utf8') : null;
  return { email: EMAIL, password, number: linked, key };
}

async function ensureAccount(database: Database, passwordFile: string): Promise<string> {
  try {
    return (await findAccount({ database }, { email: EMAIL })).accountId;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
  const password = randomBytes(12).toString('base64url');
  const made = await signUp({ database }, { email: EMAIL, password, accountName: NAME, operator: actor });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  return made.accountId;
}

async function ensureNumber(database: Database, accountId: string): Promise<NumberView> {
  const numbers = await listNumbers({ database, accountId });
  const found = numbers.find(({ network, withinPlan }) => network === 'sandbox' && withinPlan);
  if (found) return found;
  const sendIntervalSeconds = SEND_INTERVAL_SECONDS.min;
  return addNumber({ database, accountId, actor }, { network: 'sandbox', label: NAME, sendIntervalSeconds });
}

async function renewKey(database: Database, accountId: string, numberId: string): Promise<string> {
  for (const { id, name, revokedAt } of await listApiKeys({ database, accountId })) {
    if (name === NAME && revokedAt === null)
      await revokeApiKey({ database, accountId, actor }, { keyId: id });
  }
  return (await createApiKey({ database, accountId, actor }, { numberId, name: NAME })).key;
}
