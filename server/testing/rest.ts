import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { beatAsWeb } from '#server/operations/web-process.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { handleWith } from '#server/rest/node-handler.ts';
import { openApiDocument } from '#server/rest/openapi.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber } from './domain.ts';
import { checkerOf } from './openapi-document.ts';

export const testDocument = openApiDocument(PLACEHOLDER_FILES);
export const { misfit, assertDocumented } = checkerOf(testDocument);

export interface Call {
  method?: string;
  /** In `Authorization: Bearer`, unless `headers` say otherwise. */
  key?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; text and bytes are sent unchanged. */
  body?: unknown;
  signal?: AbortSignal;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** The API over a real HTTP server with its own database. */
export interface RestWorld extends AsyncDisposable {
  database: TestDatabase;
  port: number;
  /** Calls a path below `/v1`, and checks the answer against the document. */
  call(path: string, call?: Call): Promise<Answer>;
  /**
   * Sends these bytes over a separate connection, to another server's port if given; returns the whole
   * response.
   */
  raw(bytes: string | Buffer, port?: number): Promise<string>;
}

type RestOptions = Parameters<typeof handleWith>[0];

export async function startRest(options: RestOptions = { trustProxy: false }): Promise<RestWorld> {
  const database = await createTestDatabase();
  setDatabase(database);
  // A web process without a heartbeat counts as dead, and repeats of its callers would join their messages.
  const stopBeat = await beatAsWeb({ database });
  const server = createServer((req, res) => void handleWith(options, req, res));
  const port = await listen(server);
  return {
    database,
    port,
    call: (path, call = {}) => callOver(port, path, call),
    raw: (bytes, other = port) => rawOver(other, bytes),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stopBeat();
      await stopClientBoss();
      await database.drop();
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function callOver(port: number, path: string, call: Call): Promise<Answer> {
  const { method = call.body === undefined ? 'GET' : 'POST', key, body, signal } = call;
  const bytes =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(bytes === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(bytes)) }),
    ...call.headers,
  };
  const options = { port, method, path: `/v1${path}`, headers, agent: false, ...(signal ? { signal } : {}) };
  const answer = await new Promise<Answer>((resolve, reject) => {
    const req = httpRequest({ ...options, host: '127.0.0.1' }, (res) => {
      text(res).then(
        (json) =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: json === '' ? null : JSON.parse(json),
          }),
        reject,
      );
    });
    req.once('error', reject);
    req.end(bytes);
  });
  assertDocumented(method, path, answer);
  return answer;
}

function rawOver(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    text(socket).then(resolve, reject);
    socket.once('error', reject);
  });
}

export interface TestCaller {
  accountId: string;
  numberId: string;
  key: string;
  keyId: string;
}

/** An account with a plan, a number and a key. The number is connected, under a lease that does not end. */
export async function makeCaller(
  world: RestWorld,
  options: { numbersIncluded?: number; linked?: boolean } = {},
): Promise<TestCaller> {
  const { numbersIncluded = 50, linked = true } = options;
  const { database } = world;
  const { accountId } = await makeAccount(database, numbersIncluded);
  const numberId = await makeNumber(database, { accountId });
  if (linked) {
    await linkAsWorker(database, { numberId, phone: freshPhone() });
    await database.sql`
      update leases set renewed_at = clock_timestamp() + interval '1 hour' where number_id = ${numberId}`;
  }
  const { key, id: keyId } = await createApiKey({ database, accountId, actor: CLI }, { numberId });
  return { accountId, numberId, key, keyId };
}

let phones = 0;
function freshPhone(): string {
  phones += 1;
  return String(4915200000000 + phones);
}
