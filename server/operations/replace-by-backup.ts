import type { Database } from '#server/platform/db/client.ts';
import { emptyForRestore } from '#server/platform/db/empty-for-restore.ts';
import { refuseAlive } from './back-up.ts';
import { GENERATION, parseGeneration } from './generation.ts';
import { WORKER_SILENCE_MS } from './queries/operator.ts';
import { checkBackup } from './read-backup.ts';
import { type Restored, requireSecretsOf, restore } from './restore.ts';

/**
 * Replaces the contents of a database of any version by a backup. If the restore fails, the earlier contents come
 * back. Throws as {@link restore} does.
 *
 * @param params.open Brings the emptied database up to date and opens it.
 */
export async function replaceByBackup(params: {
  url: string;
  file: string;
  otherSecrets: boolean;
  open(): Promise<Database>;
}): Promise<Restored> {
  const { url, file, otherSecrets, open } = params;
  requireSecretsOf(await checkBackup(file), params);
  const contents = await emptyForRestore(url, {
    silenceMs: WORKER_SILENCE_MS,
    refuse: refuseAlive,
  });
  let restored: Restored;
  try {
    const generation = parseGeneration(await contents.fact(GENERATION));
    const replaced = { generation, schema: contents.schema, read: contents.read };
    restored = await restore({ database: await open() }, { file, otherSecrets, replaced });
  } catch (error) {
    await contents.putBack();
    throw error;
  }
  await contents.drop();
  return restored;
}
