/** A web process with the API and no pages: what the fault tests post to, kill and start again. */
import { createServer } from 'node:http';
import { readiness } from '#server/operations/readiness.ts';
import { startMetrics } from '#server/operations/start-metrics.ts';
import { beatAsWeb } from '#server/operations/web-process.ts';
import { database } from '#server/platform/db/client.ts';
import { restHandler } from '#server/rest/node-handler.ts';
import { settings } from '#server/settings.ts';

await beatAsWeb({ database: database() });
await startMetrics({ database: database() }, 'web');
const server = createServer((req, res) => void restHandler(req, res));
// The first request must find everything ready, as later ones do.
await readiness({ database: database() });
server.listen(settings.port, '127.0.0.1', () => process.send?.('ready'));
process.on('SIGTERM', () => process.exit(0));
