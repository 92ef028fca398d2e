import fs from 'node:fs';
import path from 'node:path';
import type { ManagedProcess } from './managed-process.ts';

const QUIET_MS = 200;

/**
 * For `npm run dev`: restarts the worker or the sandbox when its code changes. The web reloads itself.
 *
 * @returns a function that stops watching.
 */
export function watchSources(
  root: string,
  processes: { worker: ManagedProcess; sandbox: ManagedProcess | null },
): () => void {
  const changed = new Set<ManagedProcess>();
  let timer: NodeJS.Timeout | undefined;
  const watch = (folder: string) =>
    fs.watch(path.join(root, folder), { recursive: true }, (_event, name) => {
      if (!name || !/\.ts$/.test(name) || /\.test\.ts$/.test(name)) return;
      const managed =
        folder === 'worker' && name.startsWith('sandbox') ? processes.sandbox : processes.worker;
      if (managed) changed.add(managed);
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const each of changed) each.restart();
        changed.clear();
      }, QUIET_MS);
    });
  const watchers = ['worker', 'server'].map(watch);
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
