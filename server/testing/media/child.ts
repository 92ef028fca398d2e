import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MediaRequest } from '#server/platform/media/fetch-media.ts';
import { childEnvironment } from '#server/settings.ts';

const SCRIPT = fileURLToPath(new URL('./fetch-once.ts', import.meta.url));

/**
 * Fetches in a separate process, after `shell` has set its limits, and returns the output of `fetch-once.ts`.
 */
export async function fetchInProcess(
  request: Omit<MediaRequest, 'signal' | 'budget' | 'network'>,
  { env = {}, shell = ':' }: { env?: Record<string, string>; shell?: string } = {},
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', `${shell}; exec "$0" "$@"`, process.execPath, SCRIPT, JSON.stringify(request)],
    { env: childEnvironment(env), timeout: 30_000 },
  );
  return JSON.parse(stdout);
}
