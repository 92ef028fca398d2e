import fs from 'node:fs';
import path from 'node:path';

/**
 * The files of an earlier installation beside its database. If they exist without a database, the database is
 * lost.
 */
export function signsOfEarlier(dataDir: string): string[] {
  const signs = ['secrets', 'profiles'].filter((name) => namesIn(path.join(dataDir, name)).length > 0);
  if (fs.existsSync(path.join(dataDir, 'generation'))) signs.push('generation');
  return signs.map((name) => path.join(dataDir, name));
}

/** Why a command that needs an installation does nothing, where `setting` names none. */
export const noInstallation = (place: string, setting: 'DATA_DIR' | 'DATABASE_URL'): string =>
  `There is no installation in ${place}, and this command makes none. Correct ${setting}. A new installation is made by the first start, by "cli account create" and by "cli restore".`;

/** Whether there are browser profiles of linked numbers. */
export function hasProfiles(dataDir: string): boolean {
  return namesIn(path.join(dataDir, 'profiles')).some((name) => name.startsWith('num_'));
}

function namesIn(directory: string): string[] {
  try {
    return fs.readdirSync(directory);
  } catch {
    return [];
  }
}
