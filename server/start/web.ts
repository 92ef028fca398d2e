/**
 * The web process: `node server/start/web.ts [--dev]`. One server answers the API under `/v1` itself and
 * gives everything else to the pages. Under `--dev` the pages' own route forwards to the API, so that
 * changes to it are reloaded too.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import createPages from 'next';
import { watchAlerts } from '#server/alerts/watch-alerts.ts';
import { stopAdmitting } from '#server/messages/admission.ts';
import { watchLinkingCodes } from '#server/numbers/watch-linking-codes.ts';
import { startMetrics } from '#server/operations/start-metrics.ts';
import { beatAsWeb } from '#server/operations/web-process.ts';
import { database } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { logWhatOthersPrint } from '#server/platform/log-others.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { startRequestLog } from '#server/requests/request-log.ts';
import { isRestTarget, restHandler } from '../rest/node-handler.ts';
import { settings } from '../settings.ts';
import { PACE_LIMITS } from './connection-pace.ts';
import { createGuardedServer } from './malformed-request.ts';
import { PageAdmission } from './page-admission.ts';
import { isProbe, refusePageRequest } from './page-request.ts';

/** Common proxies close an idle connection after 60 s. This is longer, so that the proxy closes it first. */
const KEEP_ALIVE_MS = 72_000;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const HEADER_BYTES_MAX = 16 * 1024;
const CHECK_MS = 2_000;
/** Clients that connect at the same time wait in this queue; beyond it the system resets connections. */
const BACKLOG = 4_096;
/** A message that is being sent may take as long as the worker waits, and its caller must still get an answer. */
const DRAIN_MS = settings.outcomeSeconds * 1000 + 500;
const LINGER_MS = 300;
const NOTICE_MS = settings.stopNoticeSeconds * 1000;

const dev = process.argv.includes('--dev');
// Developers see the output of the pages' framework unchanged.
if (!dev) logWhatOthersPrint();
const { host: hostname, port } = settings;

const pages = createPages({
  dev,
  turbopack: true,
  dir: path.resolve(import.meta.dirname, '../..'),
  hostname,
  port,
});
await pages.prepare();
const answerPage = pages.getRequestHandler();
const admission = new PageAdmission();

/** The answer to a proxy's or container's health check. */
const STOPPING = JSON.stringify({ ok: false, error: 'This process is being stopped.' });
const NO_STORE = { 'cache-control': 'no-store', 'content-type': 'application/json' };

let stopping = false;
let answering = 0;

/** Refusals pass admission as well: a flood of them would take the API's time like other requests. */
async function answerPages(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!isRestTarget(req.url ?? '/') && refusePageRequest(req, res)) return;
  await answerPage(req, res);
}

const server = createGuardedServer(
  {
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // All connections of a proxy have its address.
    pace: settings.trustProxy ? null : PACE_LIMITS,
    // Only hot reload uses a WebSocket. A client that merely offers another protocol (`Upgrade: h2c`) gets a
    // normal answer; Next listens for upgrades and would not answer it.
    shouldUpgradeCallback: (req) => dev && req.url?.startsWith('/_next/') === true,
  },
  (req, res) => {
    if (stopping) {
      res.shouldKeepAlive = false;
      if (isProbe(req.url ?? '/')) return void res.writeHead(503, NO_STORE).end(STOPPING);
    }
    if (dev || !isRestTarget(req.url ?? '/')) {
      // Without a trusted proxy, the header is only the caller's claim. Without the header, the pages' framework
      // uses the connection's address.
      if (!settings.trustProxy) delete req.headers['x-forwarded-for'];
      // Development skips admission: a page is built when it is requested, and loads about a hundred files.
      const answered = dev ? answerPages(req, res) : admission.through(req, res, answerPages);
      answered.catch((error: unknown) => {
        log.error({ err: error }, 'page not answered');
        res.destroy();
      });
      return;
    }
    answering += 1;
    res.once('close', () => {
      answering -= 1;
    });
    void restHandler(req, res, () => admission.noteApi(res));
  },
);

const stopBeat = await beatAsWeb({ database: database() });
const stopAlerts = watchAlerts({ database: database() });
const stopLinkingCodes = watchLinkingCodes({ database: database() });
const stopRequestLog = startRequestLog({ database: database() });
const stopMetrics = await startMetrics({ database: database() }, 'web');
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  server.listen({ port, host: hostname, backlog: BACKLOG }, resolve);
});
log.info({ port: (server.address() as AddressInfo).port, host: hostname }, 'web ready');
process.send?.('ready');

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

/** Lets the proxy notice, accepts nothing new, answers callers that wait, then closes the remaining connections. */
async function stop(reason: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ reason, answering }, 'web stopping');
  await delay(NOTICE_MS);
  stopAdmitting();
  process.send?.('draining');
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const until = performance.now() + DRAIN_MS;
  while (answering > 0 && performance.now() < until) {
    await delay(20);
    server.closeIdleConnections();
  }
  // Pages in progress get a moment; live updates never end on their own.
  await Promise.race([closed, delay(LINGER_MS)]);
  server.closeAllConnections();
  await stopBeat();
  await stopAlerts();
  await stopLinkingCodes();
  await stopRequestLog();
  await stopMetrics();
  await stopClientBoss();
  await database().close();
  process.exit(0);
}
