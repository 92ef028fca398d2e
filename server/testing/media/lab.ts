import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import type { ErrorCode } from '#server/core/outcomes.ts';
import { type Clock, realClock } from '#server/platform/media/answer-on-beat.ts';
import { type FetchedMedia, fetchMedia, type MediaRequest } from '#server/platform/media/fetch-media.ts';
import { type Canary, type Internet, listen, openCanary, openInternet, stop } from './internet.ts';

/** A public address in the tests' internet, and a second one. */
export const PUBLIC = '93.184.215.14';
export const PUBLIC_TOO = '203.208.60.1';

/** What a caller reads in a refusal. */
export interface Refusal {
  code: ErrorCode;
  message: string;
}

/**
 * A new internet, spool directory and canary for each test; `public.test` is at {@link PUBLIC}. After each test
 * everything is closed, and the canary must be untouched unless the test says otherwise.
 */
export interface Lab {
  readonly internet: Internet;
  readonly canary: Canary;
  readonly directory: string;
  /** Fetches as the product does, with the tests' internet, ports 80 and 443, and `overrides`. */
  fetch(url: string, overrides?: Partial<MediaRequest>): Promise<FetchedMedia>;
  /** As `fetch`, for a fetch that must fail and must not change the spool directory. */
  refusal(url: string, overrides?: Partial<MediaRequest>): Promise<Refusal>;
  /** Serves http://public.test/ with a Node server. */
  serve(listener: RequestListener): Promise<Server>;
  /** Serves http://public.test/ with exact bytes; `answer` is called after each request's head. */
  serveRaw(answer: (socket: Socket, head: string) => void): Promise<Server>;
  /** Closes the server when the test ends. */
  keep<T extends Server>(server: T): T;
  expectCanaryTouched(): void;
}

/** Most tests check what is reported, not when. */
const hasty: Clock = { ...realClock, wait: async () => {} };

export function setUpLab(): Lab {
  const servers = new Set<Server>();
  const sockets = new Set<Socket>();
  let state: { internet: Internet; canary: Canary; directory: string };
  let canaryMayBeTouched = false;

  beforeEach(async () => {
    state = {
      internet: openInternet(),
      canary: await openCanary('127.0.0.1'),
      directory: await mkdtemp(path.join(tmpdir(), 'wirebird-media-')),
    };
    state.internet.name('public.test', [PUBLIC]);
    canaryMayBeTouched = false;
  });

  afterEach(async () => {
    const { internet, canary, directory } = state;
    internet.close();
    for (const socket of sockets) socket.destroy();
    await Promise.all([...servers].map(stop));
    const connections = canary.connections();
    await canary.close();
    await rm(directory, { recursive: true, force: true });
    servers.clear();
    sockets.clear();
    if (!canaryMayBeTouched) expect(connections).toBe(0);
  });

  function keep<T extends Server>(server: T): T {
    servers.add(server);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    return server;
  }

  function fetch(url: string, overrides: Partial<MediaRequest> = {}): Promise<FetchedMedia> {
    return fetchMedia({
      url,
      kind: 'document',
      allowHosts: [],
      ports: [80, 443],
      spoolFile: path.join(state.directory, 'file'),
      network: state.internet.network,
      clock: hasty,
      ...overrides,
    });
  }

  return {
    get internet() {
      return state.internet;
    },
    get canary() {
      return state.canary;
    },
    get directory() {
      return state.directory;
    },
    fetch,
    async refusal(url, overrides) {
      const before = await readdir(state.directory);
      const error: unknown = await fetch(url, overrides).then(
        () => new Error('the fetch succeeded'),
        (reason) => reason,
      );
      if (!(error instanceof AppError)) throw error;
      expect(await readdir(state.directory)).toEqual(before);
      return { code: error.code, message: error.message };
    },
    async serve(listener) {
      const server = keep(await listen(createHttpServer(listener)));
      state.internet.route(PUBLIC, 80, server);
      return server;
    },
    async serveRaw(answer) {
      const server = keep(
        await listen(
          createServer((socket) => {
            let head = '';
            socket.on('data', (chunk) => {
              const complete = head.includes('\r\n\r\n');
              head += chunk.toString('latin1');
              if (!complete && head.includes('\r\n\r\n')) answer(socket, head);
            });
          }),
        ),
      );
      state.internet.route(PUBLIC, 80, server);
      return server;
    },
    keep,
    expectCanaryTouched() {
      canaryMayBeTouched = true;
      expect(state.canary.connections()).toBeGreaterThan(0);
    },
  };
}
