import fs from 'node:fs';
import path from 'node:path';
import { newId } from '#server/core/id.ts';

/**
 * The id of the volume that a worker's profiles lie on, made on first use and kept beside them: a worker that sees
 * this file sees the profiles. Processes that ask at the same moment get the same one.
 */
export function volumeIdOf(dataDir: string): string {
  const directory = path.join(dataDir, 'profiles');
  const file = path.join(directory, 'volume-id');
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!fs.existsSync(file)) make(file);
  const id = fs.readFileSync(file, 'utf8').trim();
  if (!/^vol_\w+$/.test(id)) throw new Error(`${file} is damaged: restore it from a backup`);
  return id;
}

function make(file: string): void {
  const fresh = `${file}.${process.pid}.${newId('volume')}`;
  fs.writeFileSync(fresh, `${newId('volume')}\n`, { mode: 0o600, flush: true });
  try {
    // A link appears with its whole content or not at all, and never replaces another's.
    fs.linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}
