import type { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import { settings } from '#server/settings.ts';
import { ControlError, OPERATIONS, type OperationName } from './contract.ts';
import { type ControlFile, readControlFile } from './control-file.ts';

const REQUEST_TIMEOUT_MS = 10_000;

type Input<K extends OperationName> = z.input<(typeof OPERATIONS)[K]['input']>;
type Output<K extends OperationName> = z.output<(typeof OPERATIONS)[K]['output']>;
// An operation without input is called without an argument.
type Arguments<K extends OperationName> =
  Record<string, never> extends Input<K> ? [input?: Input<K>] : [input: Input<K>];

/**
 * The virtual phones and their network. Every method rejects with an AppError: `unavailable` if no sandbox runs, otherwise the
 * sandbox's code.
 */
export type SandboxControl = {
  [K in OperationName]: (...args: Arguments<K>) => Promise<Output<K>>;
} & {
  /** The bytes of a delivered file, by the SHA-256 of its inbox entry. */
  media(sha256: string): Promise<Buffer>;
};

/** The sandbox of this installation. Its address is read for each call, because it changes with a restart. */
export function sandboxClient(dataDir: string = settings.dataDir): SandboxControl {
  return connectSandbox(() => readControlFile(dataDir));
}

/** A client of the control API that `locate` finds. */
export function connectSandbox(locate: () => Pick<ControlFile, 'url' | 'token'>): SandboxControl {
  const methods = Object.entries(OPERATIONS).map(([name, { output }]) => [
    name,
    async (input: unknown = {}) => {
      const answer = await request(locate(), 'POST', `/control/${name}`, input);
      return output.parse(await answer.json());
    },
  ]);
  return {
    ...(Object.fromEntries(methods) as {
      [K in OperationName]: (...args: Arguments<K>) => Promise<Output<K>>;
    }),
    async media(sha256) {
      const answer = await request(locate(), 'GET', `/media/${encodeURIComponent(sha256)}`);
      return Buffer.from(await answer.arrayBuffer());
    },
  };
}

async function request(
  { url, token }: Pick<ControlFile, 'url' | 'token'>,
  method: 'GET' | 'POST',
  pathname: string,
  body?: unknown,
): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url + pathname, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch (cause) {
    const message =
      'The sandbox does not respond. If Wirebird is running, it restarts the sandbox within seconds.';
    throw new AppError('unavailable', message, { cause });
  }
  if (answer.ok) return answer;
  const error = ControlError.safeParse(await answer.json().catch(() => undefined));
  if (error.success) throw new AppError(error.data.code, error.data.message);
  throw new AppError('unavailable', `The sandbox answered ${answer.status} without saying why.`);
}
