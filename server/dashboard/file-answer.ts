import { Readable } from 'node:stream';
import { outcomeOf } from '#server/core/outcomes.ts';
import { followSignIn, type MemberSignIn } from '#server/people/sign-in-watch.ts';
import { inTurns } from '#server/platform/answer-in-turns.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { toAppError } from '#server/platform/http/to-app-error.ts';
import { takeDownload } from './open-streams.ts';

/** Answers a download in the browser. An error becomes a sentence on a plain page. */
export async function orRefusal(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const { code, message } = toAppError(error, 'page');
    return new Response(message, {
      status: outcomeOf(code).status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
}

/** Far longer than a large file takes over a slow line. */
const DOWNLOAD_MS_MAX = 3_600_000;
/** A part of this size is written at once. Each line of a list would be sent alone otherwise. */
const PART_BYTES = 64 * 1024;

/** Who downloads a file: of an account, or with `accountId` null one that only the administrator gets. */
export type Reader = Pick<InstallationContext, 'database'> & MemberSignIn;

/**
 * A file to save, streamed and not cached. The connection breaks, so that the browser reports an incomplete file, when
 * the reader's sign-in ends or they lose access to the file, and after an hour. Each part waits for a turn among the
 * pages. Throws `rate_limited` while the account has another download.
 */
export function download(
  file: { parts: AsyncIterable<Uint8Array>; type: string; fileName: string },
  reader: Reader,
  msMax = DOWNLOAD_MS_MAX,
): Response {
  const giveBack = takeDownload(reader);
  // Nothing is read ahead of a slow reader.
  const content = Readable.from(inTurns(file.parts), { highWaterMark: 1 });
  const end = (why: string) => content.destroy(new Error(`a download was ended: ${why}`));
  const timer = setTimeout(() => end('it took too long'), msMax).unref();
  const forget = followSignIn(reader, reader, () => end('its reader lost access'));
  content.once('close', () => {
    clearTimeout(timer);
    forget();
    giveBack();
  });
  return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.fileName}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** Ends a download whose reader has left meanwhile: Next would neither read nor end its body. */
export async function endIfLeft(answer: Response, reader: AbortSignal): Promise<Response> {
  if (reader.aborted) await answer.body?.cancel();
  return answer;
}

/** A download of the lines of a list, with today's date in the file's name. */
export function downloadCsv(name: string, lines: AsyncIterable<string>, reader: Reader): Response {
  const day = new Date().toISOString().slice(0, 10);
  return download(
    { parts: encoded(lines), type: 'text/csv; charset=utf-8', fileName: `wirebird-${name}-${day}.csv` },
    reader,
  );
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let part = '';
  for await (const line of lines) {
    part += line;
    if (part.length < PART_BYTES) continue;
    yield Buffer.from(part);
    part = '';
  }
  yield Buffer.from(part);
}
