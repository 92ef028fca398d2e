import crypto from 'node:crypto';
import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { WebSocketServer } from 'ws';
import { log } from '#server/platform/log.ts';
import { stripTypes } from '#server/platform/strip-types.ts';
import type { Certificate } from './certificate.ts';
import { SITE_HOST } from './chromium-args.ts';
import { answerJson, readBody } from './http.ts';
import type { Network } from './network/network.ts';
import type { UploadAnswer } from './page/protocol.ts';

const DIRECTORY = path.join(import.meta.dirname, 'page');
const UPLOAD_BYTES_MAX = 64 * 1024 * 1024; // four times the product's limit
const FRAME_BYTES_MAX = 4 * 1024 * 1024;

/** Simulates `https://web.whatsapp.com/`: the page and its modules, the socket, and media uploads. */
export function createPageServer(network: Network, { key, cert }: Certificate): https.Server {
  const page = loadPage();
  const server = https.createServer({ key, cert }, (request, response) => {
    answer(network, page, request, response).catch((error) => {
      log.warn({ err: error }, 'sandbox page request failed');
      response.writeHead(500).end();
    });
  });
  const sockets = new WebSocketServer({ server, path: '/ws/chat', maxPayload: FRAME_BYTES_MAX });
  sockets.on('connection', (socket) => network.serve(socket));
  sockets.on('error', () => {}); // the server's own errors arrive here too; its listeners handle them
  return server;
}

async function answer(
  network: Network,
  page: PageFiles,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', `https://${SITE_HOST}`);
  const { outage } = network.config;
  if (request.method === 'POST' && url.pathname.startsWith('/mms/')) {
    if (isOfDevice(network, request)) answerJson(response, 200, await takeUpload(network, request));
    else response.writeHead(401, { connection: 'close' }).end();
  } else if (request.method === 'POST' && url.pathname === '/sandbox/missing') {
    network.noteMissing(url.searchParams.get('module') ?? '');
    response.writeHead(204).end();
  } else if (url.pathname === '/sandbox/config') {
    const build = network.build(url.searchParams.get('build') ?? undefined);
    if (build) answerJson(response, 200, network.pageConfig(build));
    else response.writeHead(404).end();
  } else if (url.pathname === '/') {
    if (outage === 'hang') return;
    if (outage === '503') response.writeHead(503).end('The site is down.');
    else answerText(response, 'text/html; charset=utf-8', page.html(network.build()?.version ?? ''));
  } else if (url.pathname.startsWith('/sandbox/page/')) {
    if (outage === 'stall') return;
    const [version = '', name = ''] = url.pathname.slice('/sandbox/page/'.length).split('/');
    const code = page.modules.get(name);
    if (code === undefined || (network.build(version)?.withdrawn ?? true)) response.writeHead(404).end();
    else answerText(response, 'text/javascript; charset=utf-8', code);
  } else {
    response.writeHead(404).end();
  }
}

/** Only linked devices may upload, because any page in this machine's browsers can reach this port. */
function isOfDevice(network: Network, request: IncomingMessage): boolean {
  const [, deviceId, token] = /^Bearer ([^.]+)\.(.+)$/.exec(request.headers.authorization ?? '') ?? [];
  return (
    deviceId !== undefined && token !== undefined && network.linking.device({ deviceId, token }) !== undefined
  );
}

async function takeUpload(network: Network, request: IncomingMessage): Promise<UploadAnswer> {
  const { sha256 } = network.media.put(await readBody(request, UPLOAD_BYTES_MAX));
  return { directPath: `/v/t62/${sha256}`, handle: crypto.randomBytes(8).toString('base64url') };
}

function answerText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

interface PageFiles {
  /** The document of a build, by its version. */
  html(version: string): string;
  /** JavaScript by file name, for example `main.ts`: the page imports its modules by their own names. */
  modules: ReadonlyMap<string, string>;
}

/** The page's files, ready for a browser. Types are stripped here once, so the page needs no build step. */
function loadPage(): PageFiles {
  const names = fs.readdirSync(DIRECTORY).filter((name) => name.endsWith('.ts'));
  const modules = names.map(
    (name) => [name, stripTypes(fs.readFileSync(path.join(DIRECTORY, name), 'utf8'))] as const,
  );
  const html = fs.readFileSync(path.join(DIRECTORY, 'index.html'), 'utf8');
  return { html: (version) => html.replaceAll('{build}', version), modules: new Map(modules) };
}
