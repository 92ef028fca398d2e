import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '#server/platform/db/client.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { inspectEvents } from '../../linked-number.ts';
import { type Stack, startStack } from '../../stack.ts';

const PASSWORD = 'a kingfisher dives at dusk';
export const SCRIPT = `"'><img src=x onerror="window.__xss=1"><script>window.__xss=1</script>`;

/** The whole product with full logging, and a user with a linked number and a key. */
export interface Attacked {
  stack: Stack;
  database: WithSql;
  owner: { email: string; password: string };
  key: string;
  /** The ids in page addresses. */
  ids: { numberId: string; messageId: string; accountId: string; endpointId: string; guide: string };
  /** Sends a message; a text `body` is sent unchanged. */
  post(kind: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Everything that the product logged or printed. */
  logged(): Promise<string>;
}

/** Starts the product; `cleanup` stops it. */
export async function startAttacked(
  cleanup: AsyncDisposableStack,
  env: Record<string, string>,
): Promise<Attacked> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-attacks-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const cluster = await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
  cleanup.defer(() => cluster.release());
  const database = withSql(openDatabase(cluster.url, 2));
  cleanup.defer(() => database.close());
  const stack = await startStack({
    env: { DATABASE_URL: cluster.url, LOG_LEVEL: 'trace', SANDBOX_SEND_INTERVAL_MS: '0', ...env },
  });
  cleanup.defer(() => stack.stop());

  const owner = { email: 'owner@example.org', password: PASSWORD };
  await stack.cli('account', 'create', '--email', owner.email, '--password', PASSWORD, '--admin');
  await stack.cli('account', 'activate', '--email', owner.email, '--numbers', '3', '--until', '2099-12-31');
  const { instance } = await stack.cli<{ instance: string }>(
    ...['number', 'add', '--email', owner.email, '--network', 'sandbox'],
  );
  await stack.cli('number', 'link', '--instance', instance);
  const { key } = await stack.cli<{ key: string }>('key', 'create', '--instance', instance, '--name', SCRIPT);
  const post: Attacked['post'] = (kind, body, headers = {}) =>
    fetch(`${stack.url}/v1/messages/${kind}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const endpointId = await inspectEvents(stack.url, key);
  const sent = await post('text', { to: '491700000041', body: 'Hello' });
  const [row] = await database.sql<
    { id: string }[]
  >`select account_id as id from numbers where id = ${instance}`;
  const ids = {
    numberId: instance,
    messageId: sent.headers.get('x-message-id') ?? '',
    accountId: row?.id ?? '',
    endpointId,
    guide: 'webhooks',
  };
  return { stack, database, owner, key, ids, post, logged: () => loggedBy(stack) };
}

async function loggedBy(stack: Stack): Promise<string> {
  const logs = path.join(stack.dataDir, 'logs');
  const files = await Promise.all(
    (await readdir(logs)).map((name) => readFile(path.join(logs, name), 'utf8')),
  );
  return [...files, stack.output()].join('\n');
}
