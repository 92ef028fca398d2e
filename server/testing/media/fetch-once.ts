import { fetchMedia, type MediaRequest } from '#server/platform/media/fetch-media.ts';

/**
 * A process that fetches one file, for tests of a process's environment and limits. Takes the request as JSON
 * in its first argument and prints the result as JSON.
 */
const request: MediaRequest = JSON.parse(process.argv[2] ?? '');
const outcome = await fetchMedia(request).then(
  ({ bytes }) => ({ bytes }),
  ({ code, message, details }) => ({ code, message, details }),
);
console.log(JSON.stringify(outcome));
