/** The floor of `bench/status.ts`: `node:http`, the same query over the same pool, its row as JSON. */
import { createServer } from 'node:http';
import { keyHmac, parseKey } from '#server/api-keys/mint-key.ts';
import { findCallers } from '#server/api-keys/queries/callers.ts';
import { database } from '#server/platform/db/client.ts';
import { settings } from '#server/settings.ts';

createServer(async (req, res) => {
  const key = String(req.headers['x-api-key']);
  const [row] = await findCallers(database(), { keyIds: [parseKey(key)?.id ?? ''] });
  if (row?.hmac !== keyHmac(key)) {
    res.writeHead(401).end();
    return;
  }
  const body = JSON.stringify({ instance: row.numberId, phoneNumber: row.phoneNumber, status: row.status });
  res
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    .end(body);
}).listen(settings.port, '127.0.0.1', () => process.send?.('ready'));
