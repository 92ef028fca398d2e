import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { post } from './post.ts';
import { expectSent, type Row } from './row.ts';
import type { World } from './world.ts';

const ROOT = path.join(import.meta.dirname, '../..');

const git = async (...args: string[]) =>
  (await promisify(execFile)('git', args, { cwd: ROOT })).stdout.trim();

/** Checks out a commit next to this one, with this one's packages. */
async function checkOut(commit: string, into: string): Promise<() => Promise<unknown>> {
  await git('worktree', 'add', '--detach', into, commit);
  await symlink(path.join(ROOT, 'node_modules'), path.join(into, 'node_modules'));
  return () => git('worktree', 'remove', '--force', into);
}

/**
 * The last commit before the newest migration, or the oldest one here: a clone may have only a part of the
 * history. Null if there is no earlier one.
 */
async function previousVersion(): Promise<string | null> {
  try {
    const newest = await git('log', '-1', '--format=%H', '--', 'drizzle/[0-9]*.sql');
    const before = await git('rev-parse', '--verify', '--quiet', `${newest}^`).catch(() => '');
    if (newest && before) return before;
    const [oldest = ''] = (await git('rev-list', '--max-parents=0', 'HEAD')).split('\n');
    return oldest === (await git('rev-parse', 'HEAD')) ? null : oldest;
  } catch {
    return null; // no git or no repository: an unpacked tree
  }
}

/** When the newest migration of a checkout was made, in ms. */
async function newestMigrationIn(root: string): Promise<number> {
  const journal = JSON.parse(await readFile(path.join(root, 'drizzle/meta/_journal.json'), 'utf8'));
  return Math.max(...journal.entries.map(({ when }: { when: number }) => when));
}

/** What a migration of the next version may do: one more column in each table. */
async function widen(world: World): Promise<() => Promise<void>> {
  const tables = await world.database.sql<{ name: string }[]>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename <> 'clock_offset'`;
  const alter = async (how: string) => {
    for (const { name } of tables) await world.database.sql.unsafe(`alter table ${name} ${how}`);
  };
  await alter(`add column of_the_next_version text not null default 'new'`);
  return () => alter('drop column of_the_next_version');
}

/** Two versions of the product side by side, as during an upgrade. */
export const VERSION_ROWS: Row[] = [
  {
    name: 'previous-web',
    fault: 'the web process of the version before, on the schema of this one',
    async run(world, posts) {
      const number = await world.number();
      const commit = await previousVersion();
      const old = commit ? path.join(world.dataDir, 'previous') : ROOT;
      const remove = commit ? await checkOut(commit, old) : async () => {};
      let narrow: (() => Promise<void>) | null = null;
      try {
        // If the previous version has the same schema, its web process runs on the schema of a future version.
        if ((await newestMigrationIn(old)) === (await newestMigrationIn(ROOT))) narrow = await widen(world);
        const web = await world.newWeb(path.join(old, 'e2e/faults/web.ts'));
        await web.child.start();
        const status = await fetch(`${web.url}/v1/status`, { headers: { 'x-api-key': number.key } });
        if (status.status !== 200) throw new Error(`GET /status answered ${status.status}`);
        const posted = [posts(post(world, number, { url: web.url })), posts(post(world, number))];
        const seen: string[] = [];
        for (const one of posted) seen.push(await expectSent(world, one));
        await web.child.end('SIGTERM');
        return `${narrow ? 'a schema to come: ' : ''}${seen.join('; ')}`;
      } finally {
        await narrow?.();
        await remove();
      }
    },
  },
];
