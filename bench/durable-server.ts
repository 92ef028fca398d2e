/**
 * The web process of the durable wrapper in `bench/send-latency.ts`: one statement stores the message and wakes the
 * sender. It answers when the sender has stored the acknowledgement.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { openPool } from '#server/platform/db/pool.ts';
import { settings } from '#server/settings.ts';
import { withSql } from '#server/testing/sql.ts';

const { sql, listen } = withSql(openPool(String(settings.databaseUrl), 1));
const waiting = new Map<string, () => void>();
await listen('bench_acknowledged', (id) => waiting.get(id)?.());
createServer(async (request, response) => {
  const { body } = (await json(request)) as { body: string };
  const id = randomUUID();
  const acknowledged = new Promise<void>((resolve) => waiting.set(id, resolve));
  const message = JSON.stringify({ id, body });
  await sql`
    insert into bench_message (id, body) values (${id}, ${body}) returning pg_notify('bench_stored', ${message})`;
  await acknowledged;
  waiting.delete(id);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
}).listen(settings.port, '127.0.0.1', () => process.send?.('ready'));
