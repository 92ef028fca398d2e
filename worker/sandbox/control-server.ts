import crypto from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '#server/core/errors.ts';
import { log } from '#server/platform/log.ts';
import { ControlError, OPERATIONS, type OperationName } from '#server/sandbox/contract.ts';
import { answerJson, readBody } from './http.ts';
import type { Network } from './network/network.ts';
import { operationsOn } from './operations.ts';

const BODY_BYTES_MAX = 1024 * 1024;

/** The control API. The token controls every phone; without it no phone can be controlled. */
export function createControlServer(network: Network, token: string): http.Server {
  const operations = operationsOn(network) as Record<OperationName, (input: unknown) => unknown>;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const [, area, name = ''] = url.pathname.split('/');
    if (request.method === 'GET' && url.pathname === '/health') {
      answerJson(response, 200, { status: 'ok', pid: process.pid });
      return;
    }
    if (!isToken(request.headers.authorization, token)) {
      throw new AppError('unauthorized', 'The sandbox requires the token of its control file.');
    }
    if (request.method === 'GET' && area === 'media') {
      const bytes = network.media.read(name);
      if (!bytes) throw new AppError('not_found', 'The sandbox does not have this file, or has deleted it.');
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
      return;
    }
    if (request.method !== 'POST' || area !== 'control' || !Object.hasOwn(OPERATIONS, name)) {
      throw new AppError('not_found', `The sandbox has no operation ${request.method} ${url.pathname}.`);
    }
    const input = OPERATIONS[name as OperationName].input.safeParse(
      parse(await readBody(request, BODY_BYTES_MAX)),
    );
    if (!input.success) throw new AppError('invalid_parameters', sentence(input.error.issues));
    answerJson(response, 200, await operations[name as OperationName](input.data));
  }

  return http.createServer((request, response) => {
    // Otherwise a client's kept-alive connection fails once after a restart on the same port.
    response.setHeader('connection', 'close');
    answer(request, response).catch((error: unknown) => {
      const known = error instanceof AppError ? ControlError.shape.code.safeParse(error.code) : undefined;
      if (known?.success && error instanceof AppError) {
        answerJson(response, known.data === 'unauthorized' ? 401 : 400, {
          code: known.data,
          message: error.message,
        });
        return;
      }
      log.error({ err: error }, 'sandbox control request failed');
      answerJson(response, 500, {
        code: 'internal',
        message: 'The sandbox failed. Its log has the details.',
      });
    });
  });
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && crypto.timingSafeEqual(given, wanted);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new AppError('invalid_parameters', 'The body must be JSON.');
  }
}

/** The first invalid field of an input, as a sentence. */
function sentence(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  if (!issue) return 'The body is not valid for this operation.';
  const field = issue.path.join('.');
  const words = issue.message.replace(/\.$/, '');
  return field === '' ? `${words}.` : `${field}: ${words}.`;
}
