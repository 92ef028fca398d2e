import type { Readable } from 'node:stream';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { createBodyRoom } from '#server/platform/http/body-room.ts';
import type { BodyLimits } from '#server/platform/http/take-in-body.ts';

const room = createBodyRoom();
/** When other bodies have probably arrived or were given up. */
const NO_ROOM_RETRY_SECONDS = 5;

export function bodyTooLarge(bytesMax: number): AppError {
  const sentence = OUTCOMES.body_too_large.says(bytesMax);
  return new AppError('body_too_large', `${sentence} Send media by URL, and split long texts.`);
}

function bodyTooSlow(withinMs: number): AppError {
  return new AppError(
    'invalid_parameters',
    `The body did not arrive within ${withinMs / 1000} s. Send the whole body at once, with the correct Content-Length.`,
  );
}

function noRoom(): AppError {
  return new AppError('rate_limited', OUTCOMES.rate_limited.says.busy.answer, {
    retryAfterSeconds: NO_ROOM_RETRY_SECONDS,
  });
}

/**
 * The body of a request, of at most `bytesMax` bytes. Throws `body_too_large`, `invalid_parameters` if it does not
 * arrive within `withinMs`, and `rate_limited` if the bodies that arrive with it leave no room.
 */
export function readLimited(req: Readable, { bytesMax, withinMs, address }: BodyLimits): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const share = room(address);
    let bytes = 0;
    const timer = setTimeout(() => refuse(bodyTooSlow(withinMs)), withinMs);
    const done = () => {
      clearTimeout(timer);
      share.give();
      req.off('data', take).off('end', finish).off('close', cut).off('error', cut);
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) refuse(bodyTooLarge(bytesMax));
      else if (!share.take(chunk)) refuse(noRoom());
      else chunks.push(chunk);
    };
    const finish = () => {
      done();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    };
    // The caller has hung up and does not read this.
    const cut = () => {
      done();
      reject(new AppError('invalid_parameters', 'The body ended too early. Send it again.'));
    };
    const refuse = (error: AppError) => {
      done();
      reject(error);
    };
    // Its `close` has passed.
    if (req.destroyed) return cut();
    req.on('data', take).once('end', finish).once('close', cut).once('error', cut);
  });
}
