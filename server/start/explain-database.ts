import fs from 'node:fs';
import path from 'node:path';
import { NewerSchemaError, OlderSchemaError, SchemaLockedError } from '#server/platform/db/migrate.ts';
import { diskFull } from '#server/platform/embedded/home.ts';
import { SettingsError } from '../settings.ts';
import { describeDatabase } from './describe-database.ts';
import { StartError } from './start-error.ts';

/** A database that the product is about to use. */
export interface DatabaseInUse {
  url: string;
  /** The directory of an embedded database; null for one that `DATABASE_URL` names. */
  place: string | null;
}

const CAUSES_MAX = 5;
/** Of the driver, without a code. */
const NO_TLS = /does not support SSL/;

/**
 * Why a database cannot be used and what to do, in a sentence without the password. Null for other errors, which
 * are bugs.
 */
export function explainDatabase(error: unknown, { url, place }: DatabaseInUse): string | null {
  const known = [StartError, SettingsError, NewerSchemaError, OlderSchemaError, SchemaLockedError].some(
    (kind) => error instanceof kind,
  );
  if (known) return (error as Error).message;
  const { code, message } = deepest(error);
  if (code === undefined) return null;
  if (isTooSlow(code, message)) {
    const named = place === null ? namedDatabase(url) : `The embedded database in ${place}`;
    return `${named} did not finish a statement in time (${message}). ${WAITS}`;
  }
  return place === null ? explainGiven(code, message, url) : explainEmbedded(code, message, place);
}

const WAITS = 'It may wait for a lock or a standby: "cli doctor" says for what.';
/** The server's cancellation of a statement, and the driver's own limit for one whose commit does not end. */
const isTooSlow = (code: string, message: string) => code === '57014' || message === 'Query read timeout';

/** The database that `DATABASE_URL` names, as the subject of a sentence. */
export const namedDatabase = (url: string): string => `Database ${describeDatabase(url)} (DATABASE_URL)`;

function explainGiven(code: string, message: string, url: string): string | null {
  const parsed = URL.parse(url);
  const named = namedDatabase(url);
  const user = decodeURIComponent(parsed?.username ?? '');
  const name = decodeURIComponent(parsed?.pathname.slice(1) ?? '');
  if (NO_TLS.test(message))
    return `${named} offers no TLS, and sslmode in DATABASE_URL requires it. Switch it on in the server, or set sslmode=disable.`;
  switch (code) {
    case '28P01':
      return `${named} rejects the user "${user}" (${message}). Correct the user or password in DATABASE_URL.`;
    case '28000':
      return `${named} rejects the user "${user}" (${message}). Correct the user in DATABASE_URL. If the server requires TLS, add "?sslmode=require".`;
    case '3D000':
      return `${named} does not exist. Create it with "createdb -E UTF8 -T template0 ${name}", or correct DATABASE_URL.`;
    case '42501':
      return `${named}: "${user}" lacks privileges (${message}). Make it the owner: ALTER DATABASE "${name}" OWNER TO "${user}".`;
    case '08P01':
      return `${named} refuses the connection (${message}). If it is a pooler such as PgBouncer, correct its configuration.`;
    case '25006':
      return `${named} is read-only (${message}). Set DATABASE_URL to the primary server, or switch off default_transaction_read_only.`;
    case '53100':
      return `${named} has a full disk (${message}). Free space there, then start again.`;
    case '53300':
      return `${named} has no free connections (${message}). Raise max_connections, or close other connections.`;
    case 'XX001':
    case 'XX002':
    case '58P01':
      return `${named} is damaged (${message}). Read the server's log, and restore a backup.`;
  }
  if (isOfServer(code)) return null;
  return `${named} cannot be reached (${message}). Start it, correct DATABASE_URL, or unset DATABASE_URL to use the embedded database.`;
}

function explainEmbedded(code: string, message: string, place: string): string | null {
  const embedded = `The embedded database in ${place}`;
  switch (code) {
    case '28P01':
    case '28000':
      return `${embedded} rejects the password in ${path.join(place, 'password')}. Restore that file from your copy of DATA_DIR.`;
    case '25006':
      return `${embedded} is read-only (${message}). Switch off default_transaction_read_only.`;
    case '53100':
      return diskFull(place);
  }
  const ended = !isOfServer(code) || /^57P0[1-3]$/.test(code);
  if (ended && lacksRoom(place)) return diskFull(place);
  if (!ended && !/^(XX|58|3D)/.test(code)) return null;
  const what = ended ? 'does not answer' : 'is damaged';
  return `${embedded} ${what} (${message}). Read ${path.join(place, 'postgres.log')}. If the problem persists, restore ${path.join(place, 'data')} from a copy made while Wirebird was stopped, or move DATA_DIR away and restore a backup with "cli restore".`;
}

/** Whether PostgreSQL has no room for the next 16 MiB of its write-ahead log. Then it ends all its sessions. */
function lacksRoom(place: string): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(place);
    return bavail * bsize < 16 * 1024 ** 2;
  } catch {
    return false;
  }
}

/** PostgreSQL's own codes have five characters. Connection errors have longer ones, except `EPIPE`. */
const isOfServer = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE';

/** The innermost cause that has a code. */
function deepest(error: unknown): { code: string | undefined; message: string } {
  let found: { code: string | undefined; message: string } = { code: undefined, message: '' };
  let at: unknown = error;
  for (let depth = 0; at instanceof Error && depth < CAUSES_MAX; depth++) {
    // All addresses of the host failed: their first error stands for the others.
    if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0];
    const { code, message, cause } = at as NodeJS.ErrnoException;
    if (code !== undefined) found = { code: String(code), message: message || String(code) };
    at = cause;
  }
  return found;
}
