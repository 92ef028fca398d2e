import fs from 'node:fs';
import path from 'node:path';
import { newId } from '#server/core/id.ts';

/**
 * The ID of the volume that holds a worker's profiles, created beside them on first use: a worker that sees this
 * file sees the profiles. Processes that call this at the same moment get the same ID.
 */
export function volumeIdOf(dataDir: string): string {
  const directory = path.join(dataDir, 'profiles');
  const file = path.join(directory, 'volume-id');
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!fs.existsSync(file)) create(file);
  const id = fs.readFileSync(file, 'utf8').trim();
  if (!/^vol_\w+$/.test(id)) throw new Error(`${file} is damaged: restore it from a backup`);
  return id;
}

function create(file: string): void {
  const fresh = `${file}.${process.pid}.${newId('volume')}`;
  fs.writeFileSync(fresh, `${newId('volume')}\n`, { mode: 0o600, flush: true });
  try {
    // A hard link appears with its whole content or not at all, and never replaces another file.
    fs.linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}
