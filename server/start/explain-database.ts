import path from 'node:path';
import { NewerSchemaError } from '#server/platform/db/migrate.ts';
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

/**
 * Why a database cannot be used and what to do, in a sentence without the password. Null for other errors, which
 * are bugs.
 */
export function explainDatabase(error: unknown, { url, place }: DatabaseInUse): string | null {
  const known = [StartError, SettingsError, NewerSchemaError].some((kind) => error instanceof kind);
  if (known) return (error as Error).message;
  const { code, message } = deepest(error);
  if (code === undefined) return null;
  return place === null ? explainGiven(code, message, url) : explainEmbedded(code, message, place);
}

function explainGiven(code: string, message: string, url: string): string | null {
  const parsed = URL.parse(url);
  const named = `DATABASE_URL names ${describeDatabase(url)}`;
  const user = decodeURIComponent(parsed?.username ?? '');
  const name = decodeURIComponent(parsed?.pathname.slice(1) ?? '');
  switch (code) {
    case '28P01':
    case '28000':
      return `${named}, which rejects the user "${user}" (${message}): correct user and password in DATABASE_URL.`;
    case '3D000':
      return `${named}, which does not exist: create it with "createdb -E UTF8 -T template0 ${name}", or correct DATABASE_URL.`;
    case '42501':
      return `${named}, where "${user}" lacks rights (${message}): make it the owner, with ALTER DATABASE "${name}" OWNER TO "${user}".`;
    case '25006':
      return `${named}, which is read-only (${message}): name the primary server in DATABASE_URL.`;
    case '53100':
      return `${named}, whose disk is full (${message}): make room there, then start again.`;
    case '53300':
      return `${named}, which has no connection left (${message}): raise its max_connections, or end what holds them.`;
    case 'XX001':
    case 'XX002':
    case '58P01':
      return `${named}, which is damaged (${message}): look at the server's log, and restore a backup.`;
  }
  if (isOfServer(code)) return null;
  return `${named}, which cannot be reached (${message}): start that database, correct DATABASE_URL, or leave it out to use the embedded one.`;
}

function explainEmbedded(code: string, message: string, place: string): string | null {
  const embedded = `The embedded database in ${place}`;
  switch (code) {
    case '28P01':
    case '28000':
      return `${embedded} does not accept the password in ${path.join(place, 'password')}: put back the file that belongs to it, from where you keep copies of DATA_DIR.`;
    case '53100':
      return diskFull(place);
  }
  if (isOfServer(code) && !/^(XX|58|3D)/.test(code)) return null;
  const what = isOfServer(code) ? 'is damaged' : 'does not answer';
  return `${embedded} ${what} (${message}): see ${path.join(place, 'postgres.log')}. If it stays so, put ${path.join(place, 'data')} back as it was, or move DATA_DIR away and restore a backup with "cli restore".`;
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
