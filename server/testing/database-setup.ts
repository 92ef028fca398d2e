import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/platform/db/client.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { startBoss } from '#server/platform/queue/boss.ts';
import { singleton } from '#server/platform/singleton.ts';
import { settings } from '#server/settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    template: string;
  }
}

interface Server {
  url: string;
  /** The name of a migrated database to copy. */
  template: string;
  stop(): Promise<void>;
}

const server = singleton<{ projects: number; started?: Promise<Server> }>('server of tests', () => ({
  projects: 0,
}));

/** Gives a project the PostgreSQL of the test run. The last project stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = server();
  shared.projects += 1;
  shared.started ??= startServer();
  const { url, template, stop } = await shared.started;
  project.provide('serverUrl', url);
  project.provide('template', template);
  return async () => {
    shared.projects -= 1;
    if (shared.projects > 0) return;
    delete shared.started;
    await stop();
  };
}

/**
 * The PostgreSQL in `DATABASE_URL`, or an embedded one that ends with the run, with a migrated template, of which
 * every test file gets a copy.
 */
async function startServer(): Promise<Server> {
  const directory = await fs.mkdtemp(path.join(os.tmpdir(), 'wirebird-test-'));
  const embedded = settings.databaseUrl
    ? null
    : await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
  const serverUrl = embedded?.url ?? settings.databaseUrl ?? '';
  const template = `wirebird_template_${process.pid}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  if (embedded) {
    // Its data need not survive the machine.
    await admin.unsafe('alter system set fsync = off');
    await admin.unsafe('alter system set synchronous_commit = off');
    await admin.unsafe('select pg_reload_conf()');
  }
  await admin.unsafe(`create database ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  await migrate(url.href);
  const database = openDatabase(url.href, 2);
  const boss = await startBoss(database, 'client');
  await boss.stop({ graceful: false });
  await database.close();
  return {
    url: serverUrl,
    template,
    async stop() {
      if (!embedded) await admin.unsafe(`drop database if exists ${template} with (force)`);
      await admin.end();
      await embedded?.release();
      await fs.rm(directory, { recursive: true, force: true });
    },
  };
}
