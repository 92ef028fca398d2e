import fs from 'node:fs/promises';
import path from 'node:path';
import { userDataDir } from './profile.ts';

/** Chromium keeps a page's databases in LevelDB, whose logs consist of blocks of records. */
const BLOCK_BYTES = 32 * 1024;
const HEADER_BYTES = 7;
const FULL = 1;
const LAST = 4;

/**
 * Removes a truncated last record from the logs of a profile's storage; no browser may run on it. A full disk leaves
 * such records. LevelDB appends after them, takes them for damage at the next start, and Chromium then deletes the
 * whole storage with the link. Returns how many files were repaired.
 */
export async function repairStorage(profileDir: string): Promise<number> {
  let repaired = 0;
  for (const part of ['Default/IndexedDB', 'Default/Local Storage']) {
    const root = path.join(userDataDir(profileDir), part);
    const names = await fs.readdir(root, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      if (!/(^|\/)(\d+\.log|MANIFEST-\d+)$/.test(name)) continue;
      const file = path.join(root, name);
      const content = await fs.readFile(file);
      const end = endOfRecords(content);
      if (end === content.length) continue;
      await fs.truncate(file, end);
      repaired += 1;
    }
  }
  return repaired;
}

/**
 * The end of the last complete record, if only a truncated record follows. Otherwise the length of the log: if
 * anything else is wrong, nothing may be removed, because later records follow.
 */
export function endOfRecords(log: Buffer): number {
  let at = 0;
  let end = 0;
  while (at < log.length) {
    const leftInBlock = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (leftInBlock < HEADER_BYTES) {
      at += leftInBlock;
      continue;
    }
    if (at + HEADER_BYTES > log.length) return end;
    const length = log.readUInt16LE(at + 4);
    const type = log[at + 6] ?? 0;
    if (HEADER_BYTES + length > leftInBlock || type < FULL || type > LAST) return log.length;
    const next = at + HEADER_BYTES + length;
    if (next > log.length) return end;
    if (maskedCrc(log.subarray(at + 6, next)) !== log.readUInt32LE(at)) return log.length;
    at = next;
    if (type === FULL || type === LAST) end = at;
  }
  return end === 0 || at === end || isPadding(log, end) ? log.length : end;
}

/** Up to six bytes at the end of a block hold no record. */
function isPadding(log: Buffer, end: number): boolean {
  return BLOCK_BYTES - (end % BLOCK_BYTES) < HEADER_BYTES && log.subarray(end).every((byte) => byte === 0);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** CRC-32C, rotated and shifted as LevelDB stores it. */
function maskedCrc(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
