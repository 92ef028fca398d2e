import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeRefusal } from '#server/platform/disk/write-refusals.ts';

/**
 * Writes a new file that only its owner may read. Refuses an existing file. If it cannot be completed, removes it, so
 * that nobody takes a part of it for all.
 */
export async function writeNewFile(file: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw writeRefusal(file, error);
  });
  try {
    for await (const part of parts) await handle.writeFile(part);
    await handle.sync();
    await syncDirectory(path.dirname(file));
  } catch (error) {
    await rm(file, { force: true });
    throw writeRefusal(file, error);
  } finally {
    await handle.close();
  }
}

/** Without it, a power failure can lose a new file's name and so the file. */
async function syncDirectory(directory: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(directory, 'r');
    await handle.sync();
  } catch (error) {
    if (!UNABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

/** Some file systems flush no directories, and some users may write a directory that they may not read. */
const UNABLE = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);
