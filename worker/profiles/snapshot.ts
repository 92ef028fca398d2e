import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Snapshot } from '#server/numbers/queries/profiles.ts';
import { sealBytes, unsealBytes } from '#server/platform/seal.ts';
import { LAST_VERSION } from '../engine/last-browser.ts';
import { userDataDir } from '../engine/profile.ts';

/** The parts of a profile that a linked session needs: identity, keys and message states. The rest is cache. */
const PARTS = ['Default/IndexedDB', 'Default/Local Storage'];
const VERSION = 1;
/** A larger session is not copied and stays on its volume. */
const BYTES_MAX = 256 * 1024 * 1024;

const purpose = (numberId: string) => ({ use: 'profile snapshot', owner: numberId });

/** Does this profile contain a session? */
export async function hasSession(profileDir: string): Promise<boolean> {
  for (const part of PARTS) if ((await filesBelow(profileDir, part)).length > 0) return true;
  return false;
}

/**
 * Packs the session of a profile whose browser has ended, encrypted for its number. Null if it is too large.
 */
export async function packSnapshot(profileDir: string, numberId: string): Promise<Snapshot | null> {
  const entries: [name: string, bytes: number][] = [];
  const contents: Buffer[] = [];
  let total = 0;
  for (const part of [...PARTS, LAST_VERSION])
    for (const name of await filesBelow(profileDir, part)) {
      const content = await fs.readFile(path.join(userDataDir(profileDir), name));
      total += content.length;
      if (total > BYTES_MAX) return null;
      entries.push([name, content.length]);
      contents.push(content);
    }
  const table = Buffer.from(JSON.stringify(entries));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(table.length);
  const packed = await promisify(gzip)(Buffer.concat([head, table, ...contents]), { level: 3 });
  return { version: VERSION, sealed: sealBytes(packed, purpose(numberId)) };
}

/** Unpacks a session into an empty profile. Throws if it was made for another number or under another key. */
export async function unpackSnapshot(
  profileDir: string,
  numberId: string,
  { version, sealed }: Snapshot,
): Promise<void> {
  if (version !== VERSION) throw new Error(`snapshots of version ${version} are not known to this worker`);
  const bytes = await promisify(gunzip)(unsealBytes(sealed, purpose(numberId)));
  const tableEnd = 4 + bytes.readUInt32BE(0);
  const entries: [name: string, bytes: number][] = JSON.parse(bytes.toString('utf8', 4, tableEnd));
  let at = tableEnd;
  for (const [name, length] of entries) {
    const file = path.join(userDataDir(profileDir), name);
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await fs.writeFile(file, bytes.subarray(at, at + length), { mode: 0o600, flush: true });
    at += length;
  }
}

async function filesBelow(profileDir: string, part: string): Promise<string[]> {
  const root = userDataDir(profileDir);
  const found = await fs
    .readdir(path.join(root, part), { recursive: true, withFileTypes: true })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      if (error.code === 'ENOTDIR') return null;
      throw error;
    });
  if (found === null) return [part];
  return found
    .filter((entry) => entry.isFile() && entry.name !== 'LOCK')
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
