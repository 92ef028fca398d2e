import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import { emptyForRestore, whileNoOtherRestores } from '#server/platform/db/empty-for-restore.ts';
import { refuseAlive } from './back-up.ts';
import { GENERATION, parseGeneration } from './generation.ts';
import { WORKER_SILENCE_MS } from './queries/operator.ts';
import { checkBackup } from './read-backup.ts';
import { type Restored, requireSecretsOf, restore } from './restore.ts';

/** `open` brings the emptied database up to date and opens it. */
type Replacement = { url: string; file: string; otherSecrets: boolean; open(): Promise<Database> };

/**
 * Replaces the contents of a database of any version by a backup. If the restore fails, the earlier contents come
 * back. Throws as {@link restore} does, and `forbidden` while another restore of the database runs.
 */
export async function replaceByBackup(params: Replacement): Promise<Restored> {
  requireSecretsOf(await checkBackup(params.file), params);
  const restored = await whileNoOtherRestores(params.url, () => replace(params));
  if (restored) return restored;
  throw new AppError(
    'forbidden',
    'Another restore of this database is running. Nothing was changed. Wait until it has finished.',
  );
}

async function replace({ url, file, otherSecrets, open }: Replacement): Promise<Restored> {
  const contents = await emptyForRestore(url, {
    silenceMs: WORKER_SILENCE_MS,
    refuse: refuseAlive,
  });
  let restored: Restored;
  try {
    const generation = parseGeneration(await contents.fact(GENERATION));
    const replaced = { ...contents, generation };
    restored = await restore({ database: await open() }, { file, otherSecrets, replaced });
  } catch (error) {
    await contents.putBack();
    throw error;
  }
  await contents.drop();
  return restored;
}
