import path from 'node:path';
import { EmbeddedPostgresError, ensurePostgres, isNew } from '#server/platform/embedded/postgres.ts';
import { describeDatabase } from './describe-database.ts';
import { noInstallation, signsOfEarlier } from './earlier-installation.ts';
import { StartError } from './start-error.ts';

export interface StartedDatabase {
  url: string;
  /** For the terminal: which database it is, without a secret. */
  described: string;
  /** The directory of an embedded database; otherwise null. */
  place: string | null;
  /** Keeps the database running for another process of ours if this one is killed. */
  share(pid: number): void;
  release(): Promise<void>;
}

/** The directory of the embedded server in a data directory. */
export const embeddedPlace = (dataDir: string): string => path.join(dataDir, 'postgres');

/**
 * The database that `DATABASE_URL` names (not yet connected), or an embedded one below the data directory. The
 * embedded one is created only at the first start: if an earlier installation left files, a missing database means
 * data loss.
 *
 * @param options.creates Makes a new embedded database where there is no installation yet.
 * @param options.restoring The files beside the database belong to the backup, not to an earlier installation.
 * @throws StartError if the embedded one cannot be started, or is missing.
 */
export async function startDatabase(options: {
  databaseUrl: string | undefined;
  dataDir: string;
  creates?: boolean;
  restoring?: boolean;
}): Promise<StartedDatabase> {
  const { databaseUrl: url, dataDir, creates = true, restoring = false } = options;
  if (url)
    return { url, described: describeDatabase(url), place: null, share: () => {}, release: async () => {} };
  const place = embeddedPlace(dataDir);
  const earlier = restoring ? [] : signsOfEarlier(dataDir);
  try {
    if (!creates && isNew(place, earlier)) throw new StartError(noInstallation(dataDir, 'DATA_DIR'));
    const server = await ensurePostgres(place, { earlier });
    const what = `embedded, on port ${new URL(server.url).port}${server.started ? '' : ' (already running)'}`;
    return { url: server.url, described: what, place, share: server.share, release: server.release };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw new StartError(error.message);
    throw error;
  }
}
