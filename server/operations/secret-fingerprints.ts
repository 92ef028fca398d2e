import { createHmac } from 'node:crypto';
import { hasUsers } from '#server/people/queries/users.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { findFact, lockFact, putFact, putFactOnce } from '#server/platform/db/facts.ts';
import {
  hasSecret,
  makeSecrets,
  SECRET_NAMES,
  SECRET_VARIABLES,
  type SecretName,
  secret,
} from '#server/platform/secrets.ts';
import { SettingsError } from '#server/settings.ts';

/** What is lost with another value. */
const LOSS: Record<SecretName, string> = {
  authSecret: 'everyone must sign in again',
  keyPepper: 'every API key becomes invalid',
  dataKey: 'second factors must be set up again and numbers must be linked again',
};

const factOf = (name: SecretName) => `fingerprint.${name}`;

/** Identifies this process's secrets without revealing them. */
export function fingerprints(): Record<SecretName, string> {
  return { authSecret: printOf('authSecret'), keyPepper: printOf('keyPepper'), dataKey: printOf('dataKey') };
}

const printOf = (name: SecretName) =>
  createHmac('sha256', secret(name)).update(`wirebird fingerprint ${name}`).digest('hex').slice(0, 16);

/**
 * Checks the secrets at every start, because with other secrets keys are invalid and encrypted data is unreadable.
 * The first start makes missing ones; later starts must have the same.
 *
 * @throws SettingsError with the variables that are missing or differ, and what to do.
 */
export async function requireSecrets({ database }: InstallationContext): Promise<void> {
  await database.db.transaction(async (tx) => {
    const missing = await missingSecrets(tx);
    if (missing.length > 0) throw new SettingsError(explainMissing(missing));
    makeSecrets();
    const different: SecretName[] = [];
    for (const name of SECRET_NAMES) {
      const fact = { key: factOf(name), value: printOf(name) };
      await putFactOnce(tx, fact);
      if ((await lockFact(tx, fact)) !== fact.value) different.push(name);
    }
    if (different.length > 0) throw new SettingsError(explainDifferent(different));
  });
}

/** What {@link requireSecrets} would refuse, in a sentence, or null. Changes nothing. */
export async function findSecretProblem({ database }: InstallationContext): Promise<string | null> {
  return database.db.transaction(async (tx) => {
    const missing = await missingSecrets(tx);
    if (missing.length > 0) return explainMissing(missing);
    const different: SecretName[] = [];
    for (const name of SECRET_NAMES) {
      const stored = await findFact(tx, { key: factOf(name) });
      if (stored !== null && hasSecret(name) && stored !== printOf(name)) different.push(name);
    }
    return different.length > 0 ? explainDifferent(different) : null;
  });
}

/**
 * Makes this process's secrets those of the installation, after making missing ones. Returns their fingerprints by
 * variable.
 */
export async function acceptSecrets({ database }: InstallationContext): Promise<Record<string, string>> {
  makeSecrets();
  const own = fingerprints();
  await database.db.transaction(async (tx) => {
    for (const name of SECRET_NAMES) await putFact(tx, { key: factOf(name), value: own[name] });
  });
  return Object.fromEntries(SECRET_NAMES.map((name) => [SECRET_VARIABLES[name], own[name]]));
}

/** Secrets that existing data needs and that are neither set nor stored. */
async function missingSecrets(tx: Tx): Promise<SecretName[]> {
  const used = await hasUsers(tx);
  const missing: SecretName[] = [];
  for (const name of SECRET_NAMES) {
    if (hasSecret(name)) continue;
    if (used || (await findFact(tx, { key: factOf(name) })) !== null) missing.push(name);
  }
  return missing;
}

const ACCEPT = 'run "cli secrets accept"';
const variables = (names: SecretName[]) => names.map((name) => SECRET_VARIABLES[name]).join(', ');
const losses = (names: SecretName[]) => new Intl.ListFormat('en').format(names.map((name) => LOSS[name]));

function explainMissing(names: SecretName[]): string {
  return names.length === 1
    ? `${variables(names)} is not set and not in DATA_DIR/secrets, but this database needs the earlier value. Set that value, or restore the file from a backup. To continue with a new value, ${ACCEPT}. Then ${losses(names)}.`
    : `${variables(names)} are not set and not in DATA_DIR/secrets, but this database needs the earlier values. Set those values, or restore the files from a backup. To continue with new values, ${ACCEPT}. Then ${losses(names)}.`;
}

function explainDifferent(names: SecretName[]): string {
  return names.length === 1
    ? `${variables(names)} differs from the value that this database was created with. Set the earlier value in every process. To continue with the new value, ${ACCEPT}. Then ${losses(names)}.`
    : `${variables(names)} differ from the values that this database was created with. Set the earlier values in every process. To continue with the new values, ${ACCEPT}. Then ${losses(names)}.`;
}
