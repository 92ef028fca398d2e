import { AppError } from '#server/core/errors.ts';
import { hasUsers } from '#server/people/queries/users.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { makeSecrets, SECRET_VARIABLES, type SecretName } from '#server/platform/secrets.ts';
import { settings } from '#server/settings.ts';
import { type BackupHeader, requireStopped } from './back-up.ts';
import {
  GENERATION,
  type Generation,
  generationOfDataDir,
  MOVED,
  nextGeneration,
  parseGeneration,
} from './generation.ts';
import {
  factRestored,
  isEmpty,
  putRestored,
  raiseSequences,
  settleRestored,
  writeRows,
} from './queries/backup.ts';
import { checkBackup, rowsOf } from './read-backup.ts';
import { acceptSecrets, fingerprints } from './secret-fingerprints.ts';

const ROWS_AT_ONCE = 500;

export interface Restored {
  madeAt: string;
  /** The installation that the backup is of was stopped for good (`backup --move`). */
  moved: boolean;
  rows: number;
  /** Messages that waited, and now never leave: known only of an installation that was moved. */
  expired: number;
  /** Messages that were being sent, or that the installation which the backup is of may have sent since. */
  unknown: number;
  /** Numbers to be linked again. */
  toLink: number;
  /** Variables of the secrets that are not those of the backup. */
  otherSecrets: string[];
}

/**
 * Fills an empty database from a backup, in one transaction: all of it, or nothing. Nothing of it is sent, and
 * no session of the real network starts from the past. Throws `invalid_parameters` for a file that {@link checkBackup}
 * refuses; `already_exists` when somebody is in the database; `forbidden` while something runs on it, or when other
 * secrets are set here, unless `otherSecrets` says that this is meant.
 *
 * @param params.replaced the generation of what was in the database before, where a restore takes its place.
 */
export async function restore(
  { database }: InstallationContext,
  params: { file: string; otherSecrets: boolean; replaced?: Generation | null },
): Promise<Restored> {
  const { file, replaced } = params;
  const header = await checkBackup(file);
  if (!(await hasUsers(database.db))) makeSecrets();
  const otherSecrets = requireSecretsOf(header, params);
  const before = [replaced ?? null, generationOfDataDir(settings.dataDir)];
  await requireStopped({ database }, 'A backup is restored while nothing runs on the database');
  const restored = await database.sql.begin(async (sql) => {
    if (!(await isEmpty(sql)))
      throw new AppError(
        'already_exists',
        'This database is not empty. Restore into an empty one, or run the command again with --replace to delete its contents.',
      );
    await sql`delete from installation`;
    let count = 0;
    for await (const { table, rows } of rowsOf(file, { atOnce: ROWS_AT_ONCE })) {
      await writeRows(sql, table, rows);
      count += rows.length;
    }
    await raiseSequences(sql);
    const continued = [parseGeneration(await factRestored(sql, GENERATION)), ...before];
    await putRestored(sql, { key: GENERATION, value: nextGeneration(continued), without: MOVED });
    return { rows: count, ...(await settleRestored(sql, { moved: header.moved })) };
  });
  await acceptSecrets({ database });
  return { madeAt: header.madeAt, moved: header.moved, ...restored, otherSecrets };
}

/** The variables of secrets that differ from the backup's. */
export function requireSecretsOf(
  header: BackupHeader,
  { otherSecrets }: { otherSecrets: boolean },
): string[] {
  const own = fingerprints();
  const differing = (Object.keys(own) as SecretName[])
    .filter((name) => own[name] !== header.fingerprints[name])
    .map((name) => SECRET_VARIABLES[name]);
  if (differing.length > 0 && !otherSecrets)
    throw new AppError(
      'forbidden',
      `The secrets here differ from those of the backup (${differing.join(', ')}). Set the old ones, or run the command again with --other-secrets: API keys made with another KEY_PEPPER stop working, and data encrypted with another DATA_KEY is lost.`,
    );
  return differing;
}
