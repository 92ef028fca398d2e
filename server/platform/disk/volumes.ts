import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { FreeSpace } from './levels.ts';
import { DISK_USES, type DiskUse, type Places } from './places.ts';

/** A file system that the product writes to, and what it stores there. */
export interface Volume extends FreeSpace {
  /** The topmost path on it. */
  path: string;
  uses: DiskUse[];
}

/** The volumes of these paths, each once. A missing path counts as its nearest existing parent. */
export async function readVolumes(places: Places): Promise<Volume[]> {
  const byDevice = new Map<number, Volume>();
  for (const use of DISK_USES) {
    const place = places[use];
    if (place === undefined) continue;
    const there = await nearest(place);
    const volume = byDevice.get(there.device);
    if (volume) {
      volume.uses.push(use);
      volume.path = commonPath(volume.path, there.path);
    } else {
      byDevice.set(there.device, { path: there.path, uses: [use], ...(await readSpace(there.path)) });
    }
  }
  return [...byDevice.values()];
}

async function readSpace(place: string): Promise<FreeSpace> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(place);
  const freeFiles = files > 0 ? ffree : Number.POSITIVE_INFINITY;
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles };
}

async function nearest(place: string): Promise<{ path: string; device: number }> {
  try {
    return { path: place, device: (await stat(place)).dev };
  } catch (error) {
    const parent = path.dirname(place);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === place) throw error;
    return nearest(parent);
  }
}

function commonPath(one: string, other: string): string {
  const inside = `${other}${path.sep}`.startsWith(`${one}${path.sep}`);
  return inside ? one : commonPath(path.dirname(one), other);
}
