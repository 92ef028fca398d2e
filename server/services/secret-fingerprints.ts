import { createHmac } from 'node:crypto';
import type { Database } from '#server/db/client.ts';
import { SECRET_NAMES, SECRET_VARIABLES, type SecretName, secret } from '#server/secrets.ts';
import { SettingsError } from '#server/settings.ts';
import { lockFact, putFact } from '#server/store/installation.ts';

const factOf = (name: SecretName) => `fingerprint.${name}`;

/** What tells this process's secrets from others without giving them away. */
export function fingerprints(): Record<SecretName, string> {
  const of = (name: SecretName) =>
    createHmac('sha256', secret(name)).update(`wirebird fingerprint ${name}`).digest('hex').slice(0, 16);
  return { authSecret: of('authSecret'), keyPepper: of('keyPepper'), dataKey: of('dataKey') };
}

/**
 * Processes that share a database must have the same secrets: with others a key is not recognised, and a
 * session that one worker has stored cannot be opened by the next. The first process to ask sets them.
 *
 * @throws SettingsError that names the variables which differ.
 */
export async function requireSameSecrets(database: Database): Promise<void> {
  const own = fingerprints();
  const differing: string[] = [];
  await database.db.transaction(async (tx) => {
    for (const name of SECRET_NAMES) {
      const key = factOf(name);
      const stored = await lockFact(tx, { key });
      if (stored === null) await putFact(tx, { key, value: own[name] });
      else if (stored !== own[name]) differing.push(SECRET_VARIABLES[name]);
    }
  });
  if (differing.length === 0) return;
  throw new SettingsError(
    `${differing.join(', ')}: not what the other processes of this installation have. Set the same value everywhere; after changing one on purpose, run "npm run -s cli -- secrets accept".`,
  );
}

/** From now on this process's secrets are those of the installation. */
export async function acceptSecrets(database: Database): Promise<Record<SecretName, string>> {
  const own = fingerprints();
  await database.db.transaction(async (tx) => {
    for (const name of SECRET_NAMES) await putFact(tx, { key: factOf(name), value: own[name] });
  });
  return own;
}
