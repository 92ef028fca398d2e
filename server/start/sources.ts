import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The folders of a production build, besides the files of the root. `worker` is not one: no page imports it. */
const FOLDERS = ['app', 'public', 'server'];

/** A hash of everything that a production build depends on. A different hash requires a new build. */
export function hashSources(root: string): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform}-${process.arch}\n`);
  const ofRoot = fs
    .readdirSync(root)
    .filter((name) => /\.(ts|js|mjs|json)$/.test(name) && name !== 'next-env.d.ts')
    .sort();
  for (const name of [...FOLDERS, ...ofRoot]) {
    for (const file of filesBelow(root, name)) {
      const content = fs.readFileSync(path.join(root, file));
      hash.update(`${file} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

/** Files in a fixed order, without tests, which are not built. */
function filesBelow(root: string, name: string): string[] {
  const stat = fs.statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return /\.test\.tsx?$/.test(name) ? [] : [name];
  return fs
    .readdirSync(path.join(root, name))
    .sort()
    .flatMap((entry) => filesBelow(root, path.posix.join(name, entry)));
}
