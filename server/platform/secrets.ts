import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { SettingsError, settings } from '#server/settings.ts';

export const SECRET_VARIABLES = {
  authSecret: 'AUTH_SECRET',
  keyPepper: 'KEY_PEPPER',
  dataKey: 'DATA_KEY',
} as const;

/**
 * `authSecret` signs the dashboard's sessions, `keyPepper` hashes API keys, and `dataKey` encrypts stored secrets,
 * so a stolen database alone is useless. Losing `authSecret` ends every sign-in, losing `keyPepper` invalidates
 * every key, and losing `dataKey` every second factor.
 */
export type SecretName = keyof typeof SECRET_VARIABLES;

export const SECRET_NAMES = Object.keys(SECRET_VARIABLES) as SecretName[];

const known = new Map<SecretName, string>();

/**
 * A secret of the installation: the setting, otherwise, where secrets may be generated, its file in `DATA_DIR/secrets`.
 * Creates no missing secret ({@link makeSecrets} does), because existing data may need the earlier one. Throws
 * {@link SettingsError} if it is missing or damaged, with what to do.
 */
export function secret(name: SecretName): string {
  const value = known.get(name) ?? settings[name] ?? storedSecret(directory(), name);
  known.set(name, value);
  return value;
}

/** The file of a secret that is not set. */
const secretFile = (name: SecretName): string => path.join(directory(), name);

/** Whether the secret is set or stored. */
export function hasSecret(name: SecretName): boolean {
  return settings[name] !== undefined || fs.existsSync(secretFile(name));
}

/**
 * Creates missing secrets, for an installation without data. Concurrent processes get the same ones. Throws
 * {@link SettingsError} where secrets must be set, with the two ways to do so.
 */
export function makeSecrets(): void {
  for (const name of SECRET_NAMES) {
    if (settings[name] === undefined) {
      requireGenerated(name);
      makeSecret(directory(), name);
    }
    secret(name);
  }
}

/**
 * Checks the secrets without the database. Throws {@link SettingsError} if one is damaged, or missing where secrets
 * must be set.
 */
export function requireReadableSecrets(): void {
  for (const name of SECRET_NAMES) if (!settings.secretsGenerated || hasSecret(name)) secret(name);
}

const directory = (): string => path.join(settings.dataDir, 'secrets');

function requireGenerated(name: SecretName): void {
  if (settings.secretsGenerated) return;
  throw new SettingsError(
    `${SECRET_VARIABLES[name]} is not set, and in production no secret is made automatically. Make one with "openssl rand -hex 32" and keep it with the backups, or set WIREBIRD_SECRETS=generate: the first start then makes the secrets in DATA_DIR/secrets, and you keep copies of them.`,
  );
}

/** The secret in the file `name` of `directory`. Throws {@link SettingsError} if the file is missing or damaged. */
export function storedSecret(directory: string, name: SecretName): string {
  requireGenerated(name);
  const file = path.join(directory, name);
  if (!fs.existsSync(file))
    throw new SettingsError(
      `${file} is missing. Restore it from a backup, or set ${SECRET_VARIABLES[name]} to what was in it.`,
    );
  const value = fs.readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(value)) {
    throw new SettingsError(
      `${file} is damaged. Restore it from a backup, or set ${SECRET_VARIABLES[name]} to what was in it.`,
    );
  }
  return value;
}

/** Creates the secret in the file `name` of `directory`, unless there is one. */
export function makeSecret(directory: string, name: SecretName): void {
  const file = path.join(directory, name);
  if (!fs.existsSync(file)) make(file);
}

function make(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = fs.openSync(/* turbopackIgnore: true */ fresh, 'wx', 0o600);
  try {
    fs.writeSync(handle, `${randomBytes(32).toString('hex')}\n`);
    fs.fsyncSync(handle);
    // A link appears with its complete content, and never replaces another process's file.
    fs.linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.closeSync(handle);
    fs.rmSync(fresh, { force: true });
  }
}
