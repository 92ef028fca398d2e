import { open, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a new file that only its owner may read. Refuses an existing file. If it cannot be completed, removes it, so
 * that nobody takes a part of it for all.
 */
export async function writeNewFile(file: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const part of parts) await handle.writeFile(part);
    await handle.sync();
    await syncDirectory(path.dirname(file));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Without it, a power failure can lose a new file's name and so the file. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
