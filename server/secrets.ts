import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { SettingsError, settings } from './settings.ts';

/** What the operator calls them. */
export const SECRET_VARIABLES = {
  authSecret: 'AUTH_SECRET',
  keyPepper: 'KEY_PEPPER',
  dataKey: 'DATA_KEY',
} as const;

/**
 * `authSecret` signs the dashboard's sessions; with `keyPepper` API keys are hashed and with `dataKey` what
 * must be read again is encrypted, so that a stolen database alone opens nothing. Losing the first signs
 * everybody out, losing the second voids every key, losing the third every second factor.
 */
export type SecretName = keyof typeof SECRET_VARIABLES;

export const SECRET_NAMES = Object.keys(SECRET_VARIABLES) as SecretName[];

const known = new Map<SecretName, string>();

/**
 * A secret of the installation: the setting, else (outside production) one that was made once and is kept
 * in `DATA_DIR/secrets`.
 *
 * @throws SettingsError in production when the setting is missing, naming a command that makes one.
 */
export function secret(name: SecretName): string {
  const value = known.get(name) ?? settings[name] ?? stored(name);
  known.set(name, value);
  return value;
}

function stored(name: SecretName): string {
  if (settings.production) {
    throw new SettingsError(
      `${SECRET_VARIABLES[name]} is not set, and in production no secret is made by itself. Make one with "openssl rand -hex 32" and keep it with the backups.`,
    );
  }
  return storedSecret(path.join(settings.dataDir, 'secrets'), name);
}

/**
 * The secret that `directory` keeps under `name`, made when there is none. Processes that ask at the same
 * moment get the same one.
 *
 * @throws SettingsError when the file holds something else.
 */
export function storedSecret(directory: string, name: SecretName): string {
  const file = path.join(directory, name);
  if (!fs.existsSync(file)) make(file);
  const value = fs.readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(value)) {
    throw new SettingsError(
      `${file} is damaged: restore it from a backup, or delete it to get a new one (see ${SECRET_VARIABLES[name]}).`,
    );
  }
  return value;
}

function make(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = fs.openSync(/* turbopackIgnore: true */ fresh, 'wx', 0o600);
  try {
    fs.writeSync(handle, `${randomBytes(32).toString('hex')}\n`);
    fs.fsyncSync(handle);
    // A link appears with its whole content or not at all, and never replaces another's.
    fs.linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.closeSync(handle);
    fs.rmSync(fresh, { force: true });
  }
}
