import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { MEDIA_BYTES_MAX } from './fetch-media.ts';
import { noRoom, shareFull } from './media-errors.ts';
import type { DiskBudget } from './write-body.ts';

/** Room for fetched files that wait to be sent. */
const SPOOL_BUDGET_BYTES = 1024 ** 3;

/** The largest part of the free spool that an account's files may use; one file always fits. */
const SHARE = 1 / 4;

/**
 * Longer than any fetch. A younger file may belong to a message that came after the list of kept messages was
 * read.
 */
const SWEEP_AGE_MS = 10 * 60_000;
/** The clock of a file system may be behind by less. */
const FILE_CLOCK_MS = 1000;

/**
 * The directory of fetched files, one for each message until it is settled, and the count of their bytes. One
 * process at a time owns it.
 */
export interface Spool {
  readonly directory: string;
  /** Of all files, or of one account's. */
  usedBytes(accountId?: string): number;
  /**
   * Reserves room for a message's file. Throws AppError `media_share_full` if its account's share is full,
   * `no_room` if the spool is full.
   */
  budgetFor(message: { accountId: string; messageId: string }): DiskBudget;
  /** Whether it has a file of this message, complete or not. */
  has(messageId: string): boolean;
  pathFor(messageId: string): string;
  remove(messageId: string): Promise<void>;
  /**
   * Removes files of an earlier process or older than ten minutes whose message is not in `keep`, and old partial
   * files. Counts the directory again; `keep` maps message IDs to account IDs. Returns how many files it removed.
   */
  sweep(keep: ReadonlyMap<string, string>): Promise<number>;
}

interface SpoolOptions {
  budgetBytes?: number;
  now?: () => number;
  /** How many more bytes the disk has room for. */
  roomBytes?: () => number;
}

/** The spool's path below the data directory. */
export function spoolDirectory(dataDir: string): string {
  return path.join(dataDir, 'media');
}

/** Opens the spool, creates its directory (mode 0700) if needed, and counts its files. */
export async function openSpool(
  dataDir: string,
  {
    budgetBytes = SPOOL_BUDGET_BYTES,
    now = Date.now,
    roomBytes = () => Number.POSITIVE_INFINITY,
  }: SpoolOptions = {},
): Promise<Spool> {
  const directory = spoolDirectory(dataDir);
  const openedMs = now() - FILE_CLOCK_MS;
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
  /** The account of each message, by message ID. */
  const owners = new Map<string, string>();
  let used = await countBytes(directory);
  let usedBy = new Map<string | undefined, number>();

  const pathFor = (messageId: string) => path.join(directory, fileName(messageId));

  function count(accountId: string | undefined, bytes: number): void {
    used = Math.max(0, used + bytes);
    usedBy.set(accountId, Math.max(0, (usedBy.get(accountId) ?? 0) + bytes));
  }

  function take(accountId: string, bytes: number): void {
    const room = Math.min(budgetBytes - used, roomBytes());
    if (bytes > room)
      throw noRoom(new Error(`${used} of ${budgetBytes} bytes are used; there is room for ${room}`));
    const own = usedBy.get(accountId) ?? 0;
    const share = Math.max(MEDIA_BYTES_MAX, (own + room) * SHARE);
    if (own + bytes > share) throw shareFull(own);
    count(accountId, bytes);
  }

  async function removeFile(name: string): Promise<void> {
    const file = path.join(directory, name);
    const bytes = await sizeOf(file);
    await rm(file, { force: true });
    count(owners.get(messageOf(name)), -bytes);
    owners.delete(messageOf(name));
  }

  return {
    directory,
    usedBytes: (accountId) => (accountId === undefined ? used : (usedBy.get(accountId) ?? 0)),
    budgetFor({ accountId, messageId }) {
      owners.set(fileName(messageId), accountId);
      return { take: (bytes) => take(accountId, bytes), give: (bytes) => count(accountId, -bytes) };
    },
    has: (messageId) => owners.has(messageId),
    pathFor,
    remove: async (messageId) => removeFile(fileName(messageId)),
    async sweep(keep) {
      let removed = 0;
      for (const name of await readdir(directory)) {
        const info = await stat(path.join(directory, name)).catch(() => undefined);
        if (!info?.isFile() || keep.has(name)) continue;
        const isOwn = info.mtimeMs >= openedMs || keep.has(messageOf(name));
        if (isOwn && info.mtimeMs > now() - SWEEP_AGE_MS) continue;
        await removeFile(name);
        removed += 1;
      }
      for (const [messageId, accountId] of keep) owners.set(messageId, accountId);
      // Files that are written meanwhile may count twice until the next sweep.
      const before = { used, usedBy: new Map(usedBy) };
      const counted = await countByOwner(directory, (name) => owners.get(messageOf(name)));
      const added = (accountId: string | undefined) =>
        Math.max(0, (usedBy.get(accountId) ?? 0) - (before.usedBy.get(accountId) ?? 0));
      for (const accountId of usedBy.keys())
        if (added(accountId) > 0)
          counted.bytes.set(accountId, (counted.bytes.get(accountId) ?? 0) + added(accountId));
      used = counted.total + Math.max(0, used - before.used);
      usedBy = counted.bytes;
      for (const messageId of owners.keys())
        if (!keep.has(messageId) && !counted.messageIds.has(messageId)) owners.delete(messageId);
      return removed;
    },
  };
}

/** The message of a file, complete or partial. */
const messageOf = (name: string) => name.replace(/(\.\d+)?\.part$/, '');

/** Message IDs are the file names. Any other text could lead out of the directory. */
function fileName(messageId: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(messageId)) throw new TypeError('not a message id');
  return messageId;
}

async function countBytes(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory)) bytes += await sizeOf(path.join(directory, name));
  return bytes;
}

async function countByOwner(directory: string, ownerOf: (name: string) => string | undefined) {
  const bytes = new Map<string | undefined, number>();
  const messageIds = new Set<string>();
  let total = 0;
  for (const name of await readdir(directory)) {
    const size = await sizeOf(path.join(directory, name));
    total += size;
    bytes.set(ownerOf(name), (bytes.get(ownerOf(name)) ?? 0) + size);
    messageIds.add(messageOf(name));
  }
  return { bytes, messageIds, total };
}

/** 0 for a missing file. */
async function sizeOf(file: string): Promise<number> {
  const info = await stat(file).catch(() => undefined);
  return info?.isFile() ? info.size : 0;
}
