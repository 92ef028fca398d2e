import path from 'node:path';
import { EmbeddedPostgresError, ensurePostgres } from '../embedded/postgres.ts';
import { describeDatabase } from './describe-database.ts';
import { StartError } from './start-error.ts';

export interface StartedDatabase {
  url: string;
  /** For the terminal: which database it is, without a secret. */
  described: string;
  /** Keeps it for another process of ours, after this one was killed. */
  share(pid: number): void;
  release(): Promise<void>;
}

/** Where the embedded server of a data directory lies. */
export const embeddedPlace = (dataDir: string): string => path.join(dataDir, 'postgres');

/**
 * The database that `DATABASE_URL` names (not yet reached), or an embedded one below the data directory.
 *
 * @throws StartError when the embedded one cannot be started.
 */
export async function startDatabase(options: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<StartedDatabase> {
  const { databaseUrl: url, dataDir } = options;
  if (url) return { url, described: describeDatabase(url), share: () => {}, release: async () => {} };
  try {
    const server = await ensurePostgres(embeddedPlace(dataDir));
    const what = `embedded, on port ${new URL(server.url).port}${server.started ? '' : ' (ran already)'}`;
    return { url: server.url, described: what, share: server.share, release: server.release };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw new StartError(error.message);
    throw error;
  }
}
