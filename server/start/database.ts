import path from 'node:path';
import { EmbeddedPostgresError, ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { describeDatabase } from './describe-database.ts';
import { signsOfEarlier } from './earlier-installation.ts';
import { StartError } from './start-error.ts';

export interface StartedDatabase {
  url: string;
  /** For the terminal: which database it is, without a secret. */
  described: string;
  /** Where the embedded one lies; null for one that was given. */
  place: string | null;
  /** Keeps it for another process of ours, after this one was killed. */
  share(pid: number): void;
  release(): Promise<void>;
}

/** Where the embedded server of a data directory lies. */
export const embeddedPlace = (dataDir: string): string => path.join(dataDir, 'postgres');

/**
 * The database that `DATABASE_URL` names (not yet reached), or an embedded one below the data directory. That is made
 * at the first start only: where an earlier installation has left its signs, a database that is missing is a loss.
 *
 * @param options.restoring what is beside the database was brought for the backup, or is set aside after it.
 * @throws StartError when the embedded one cannot be started, or is missing.
 */
export async function startDatabase(options: {
  databaseUrl: string | undefined;
  dataDir: string;
  restoring?: boolean;
}): Promise<StartedDatabase> {
  const { databaseUrl: url, dataDir, restoring = false } = options;
  if (url)
    return { url, described: describeDatabase(url), place: null, share: () => {}, release: async () => {} };
  const place = embeddedPlace(dataDir);
  try {
    const server = await ensurePostgres(place, { earlier: restoring ? [] : signsOfEarlier(dataDir) });
    const what = `embedded, on port ${new URL(server.url).port}${server.started ? '' : ' (ran already)'}`;
    return { url: server.url, described: what, place, share: server.share, release: server.release };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw new StartError(error.message);
    throw error;
  }
}
