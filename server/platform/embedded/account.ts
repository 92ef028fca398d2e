import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { EmbeddedPostgresError, type Home } from './home.ts';

/** The system account that the server runs as; empty for our own account. */
export interface ServerAccount {
  uid?: number;
  gid?: number;
}

/**
 * PostgreSQL refuses to run as root. If we are root, it runs as the account that owns the cluster, otherwise as
 * `postgres` or `nobody`. The owner comes first, so that a `postgres` account installed later does not lose access to
 * the data. Throws {@link EmbeddedPostgresError} if there is no such account, or the cluster belongs to another one.
 */
export function serverAccount(home: Home): ServerAccount {
  const we = process.getuid?.();
  if (we === undefined) return {};
  const cluster = fs.statSync(home.data, { throwIfNoEntry: false });
  if (we !== 0) {
    if (cluster && cluster.uid !== we) {
      throw new EmbeddedPostgresError(
        `${home.data} belongs to user id ${cluster.uid}: start as the user who made it, or set DATA_DIR to another directory.`,
      );
    }
    return {};
  }
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL can run as root on Linux only: start as an ordinary user, or set DATABASE_URL.',
    );
  }
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (!account) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root and there is no user "nobody" to run it: start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return account;
}

function lookUp(name: string): ServerAccount | null {
  const ask = (flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return null;
  }
}
