import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { noRoom } from './media-errors.ts';

/** Room on the disk, reserved before the write. */
export interface DiskBudget {
  /** Throws AppError `media_share_full` or `no_room` when `bytes` more would not fit. */
  take(bytes: number): void;
  give(bytes: number): void;
}

/**
 * Streams `body` to a partial file beside `path` (mode 0600), so that a file under its own name is complete even after
 * a crash. If the body fails, removes the file and throws the body's error. Throws `no_room` when the disk is full, and
 * what its budget throws.
 *
 * @returns `sha256` in lower-case hex. `keep` renames the complete file to `path`.
 */
export async function writeBody(body: AsyncIterable<Uint8Array>, path: string, budget?: DiskBudget) {
  // Two workers of one volume may fetch the same file after one of them was paused.
  const partPath = `${path}.${process.pid}.part`;
  const hash = createHash('sha256');
  let bytes = 0;
  const discard = async () => {
    await rm(partPath, { force: true });
    budget?.give(bytes);
    bytes = 0;
  };
  try {
    await stored(() => rm(partPath, { force: true }));
    const file = await stored(() => open(partPath, NEW_FILE, 0o600));
    try {
      for await (const chunk of body) {
        budget?.take(chunk.byteLength);
        bytes += chunk.byteLength;
        hash.update(chunk);
        await stored(() => file.writeFile(chunk));
      }
      // Otherwise a power failure after the rename could leave a file of zeros under its own name.
      await stored(() => file.sync());
    } finally {
      await stored(() => file.close());
    }
  } catch (error) {
    await discard();
    throw error;
  }
  const keep = () => stored(() => rename(partPath, path));
  return { bytes, sha256: hash.digest('hex'), partPath, keep, discard };
}

/** Never follows a link and never writes to an existing file. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

async function stored<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw noRoom(error);
  }
}
