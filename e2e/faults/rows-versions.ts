import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expectFate, fateOf } from './oracle.ts';
import { post } from './post.ts';
import { ACCEPTED, type Row } from './row.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Checks a commit out beside this one, with the packages of this one. */
async function checkOut(commit: string, into: string): Promise<() => Promise<unknown>> {
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: ROOT });
  await git('worktree', 'add', '--detach', into, commit);
  await symlink(path.join(ROOT, 'node_modules'), path.join(into, 'node_modules'));
  return () => git('worktree', 'remove', '--force', into);
}

/** The last commit before the newest migration. */
async function beforeNewestMigration(): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['log', '-1', '--format=%H', '--', 'drizzle/*.sql'], {
    cwd: ROOT,
  });
  return `${stdout.trim()}^`;
}

/** Two versions of the product side by side, as while one is replaced by the other. */
export const VERSION_ROWS: Row[] = [
  {
    name: 'previous-web',
    fault: 'the web process of the version before, on the schema of this one',
    long: true,
    async run(world, posts) {
      const number = await world.number();
      const old = path.join(world.dataDir, 'previous');
      const remove = await checkOut(await beforeNewestMigration(), old);
      try {
        const web = await world.newWeb(path.join(old, 'e2e/faults/web.ts'));
        await web.child.start();
        const status = await fetch(`${web.url}/v1/status`, { headers: { 'x-api-key': number.key } });
        if (status.status !== 200) throw new Error(`GET /status answered ${status.status}`);
        const posted = [posts(post(world, number, { url: web.url })), posts(post(world, number))];
        const seen: string[] = [];
        for (const one of posted)
          seen.push(
            expectFate(await fateOf(world, one), { callers: ['200'], stored: ACCEPTED, delivered: [1] }),
          );
        await web.child.end('SIGTERM');
        return seen.join('; ');
      } finally {
        await remove();
      }
    },
  },
];
