import fs from 'node:fs';
import path from 'node:path';
import { userDataDir } from '../engine/profile.ts';
import type { StoredLink } from './network-frames.ts';

/** Where a browser stores a profile's link, so that snapshots contain it. */
const fileOf = (profileDir: string) => path.join(userDataDir(profileDir), 'Default/IndexedDB/link.json');

export function readLink(profileDir: string): StoredLink | null {
  try {
    return JSON.parse(fs.readFileSync(fileOf(profileDir), 'utf8'));
  } catch {
    return null;
  }
}

export function writeLink(profileDir: string, link: StoredLink): void {
  const file = fileOf(profileDir);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  fs.writeFileSync(fresh, JSON.stringify(link));
  fs.renameSync(fresh, file);
}
