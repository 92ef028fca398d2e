import fs from 'node:fs';
import path from 'node:path';

/**
 * What an earlier installation has left in the data directory beside its database: one that finds this and no
 * database has lost that, and is no newcomer.
 */
export function signsOfEarlier(dataDir: string): string[] {
  const signs = ['secrets', 'profiles'].filter((name) => namesIn(path.join(dataDir, name)).length > 0);
  if (fs.existsSync(path.join(dataDir, 'generation'))) signs.push('generation');
  return signs.map((name) => path.join(dataDir, name));
}

/** Whether browsers' profiles of linked numbers lie there. */
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
