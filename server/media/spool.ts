import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { notStored } from './refusals.ts';
import type { DiskBudget } from './write-body.ts';

/** Room for fetched files that wait to be sent or are kept for a while after. */
export const SPOOL_BUDGET_BYTES = 1024 ** 3;

/** Longer than any fetch: a younger file may belong to one that began after the list of keepers was read. */
const SWEEP_AGE_MS = 10 * 60_000;

/**
 * The directory where fetched files lie until their message is over, one file for each message, and the
 * count of the bytes in it. One process at a time owns it.
 */
export interface Spool extends DiskBudget {
  readonly directory: string;
  usedBytes(): number;
  /** Where the file of a message is, or would be. */
  pathFor(messageId: string): string;
  /** Removes the file of a message; one that is not there is fine. */
  remove(messageId: string): Promise<void>;
  /**
   * Removes every file older than ten minutes whose message is not in `keepIds`, and what a killed process
   * left half written. Counts the directory anew. Answers how many files it removed.
   */
  sweep(keepIds: ReadonlySet<string>): Promise<number>;
}

/** The directory's place below the data directory. */
export function spoolDirectory(dataDir: string): string {
  return path.join(dataDir, 'media');
}

/** Opens the spool, making its directory (mode 0700) when needed, and counts what lies in it. */
export async function openSpool(
  dataDir: string,
  { budgetBytes = SPOOL_BUDGET_BYTES, now = Date.now }: { budgetBytes?: number; now?: () => number } = {},
): Promise<Spool> {
  const directory = spoolDirectory(dataDir);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
  let used = await countBytes(directory);

  const pathFor = (messageId: string) => path.join(directory, fileName(messageId));

  async function removeFile(file: string): Promise<void> {
    const bytes = await sizeOf(file);
    await rm(file, { force: true });
    used = Math.max(0, used - bytes);
  }

  return {
    directory,
    usedBytes: () => used,
    pathFor,
    take(bytes) {
      if (used + bytes > budgetBytes) {
        throw notStored(new Error(`the media spool is full: ${used} of ${budgetBytes} bytes are used`));
      }
      used += bytes;
    },
    give(bytes) {
      used = Math.max(0, used - bytes);
    },
    remove: (messageId) => removeFile(pathFor(messageId)),
    async sweep(keepIds) {
      let removed = 0;
      for (const name of await readdir(directory)) {
        const file = path.join(directory, name);
        const info = await stat(file).catch(() => undefined);
        if (!info?.isFile() || keepIds.has(name) || info.mtimeMs > now() - SWEEP_AGE_MS) continue;
        await removeFile(file);
        removed += 1;
      }
      // What is written meanwhile counts on top; at worst twice, until the next sweep.
      const before = used;
      used = (await countBytes(directory)) + Math.max(0, used - before);
      return removed;
    },
  };
}

/** Message ids are file names as they are. Anything else is a fault of ours, and would leave the directory. */
function fileName(messageId: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(messageId)) throw new TypeError('not a message id');
  return messageId;
}

async function countBytes(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory)) bytes += await sizeOf(path.join(directory, name));
  return bytes;
}

/** 0 for a file that is gone. */
async function sizeOf(file: string): Promise<number> {
  const info = await stat(file).catch(() => undefined);
  return info?.isFile() ? info.size : 0;
}
