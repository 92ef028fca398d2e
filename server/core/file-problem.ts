import { z } from 'zod';

const NOTHING = 'Nothing was sent.';
const LATER = 'Nothing was sent. Retry the request later.';
const USABLE_AUDIO = 'MP3, AAC, M4A, OGG with Opus, or AMR';

/** Problems that name nothing, with their sentences. */
const SENTENCES = {
  // One for every failure before the file's server answers: different answers would let a stranger map our network.
  unreachable:
    'The file at url could not be fetched. Nothing was sent. Check that the host name exists and is public, that ' +
    'the server answers within 10 seconds, and that an https certificate is valid. If all is correct, retry the request later.',
  closed_before_answer: `The file's server closed the connection before it had answered. ${LATER}`,
  closed_early: `The file's server closed the connection before the whole file had arrived. ${LATER}`,
  https_left: `The file's server redirected from https to http, which is not followed. ${NOTHING}`,
  long_headers: `The file's server answered with more than 16 KiB of headers. ${NOTHING}`,
  sent_more: `The file's server sent far more than the file. ${NOTHING}`,
  compressed: `The file's server sent the file compressed although it was asked not to. ${NOTHING}`,
  empty: `The file at url is empty. ${NOTHING}`,
  no_image: `The file at url is not a supported image. Use JPEG, PNG, WebP or GIF. ${NOTHING}`,
  image_without_size: `The image at url is damaged or incomplete. Its size cannot be read. ${NOTHING}`,
  image_damaged: `The image at url is damaged or incomplete. Check that the file was written to its end. ${NOTHING}`,
  no_audio: `The file at url is not supported audio, or it is incomplete. Use ${USABLE_AUDIO}. ${NOTHING}`,
  no_room: `The service has no room for files right now. This is not about your account. ${LATER}`,
} as const;

const text = z.string();
const whole = z.int();

/** What is wrong with a message's file: the fact that is stored. */
export const FileProblem = z.discriminatedUnion('problem', [
  z.object({ problem: z.enum(Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]) }),
  z.object({ problem: z.literal('late'), seconds: z.number() }),
  z.object({ problem: z.literal('redirects'), max: whole }),
  /** `why`: the refusal of the URL, as a sentence. */
  z.object({ problem: z.literal('redirect_refused'), why: text }),
  /** `passes`: the file's server may succeed later. */
  z.object({ problem: z.literal('status'), status: whole, passes: z.boolean() }),
  /** `broken`: what HTTP/1.1 forbids, in a few words. */
  z.object({ problem: z.literal('invalid_http'), broken: text }),
  /** `encoding`: its name, if it can be shown. */
  z.object({ problem: z.literal('encoded'), encoding: text.nullable() }),
  z.object({ problem: z.literal('pixels'), width: whole, height: whole }),
  z.object({ problem: z.literal('audio_not_read'), format: text }),
  z.object({ problem: z.literal('too_large'), bytesMax: whole }),
  z.object({ problem: z.literal('share_full'), usedBytes: whole }),
]);
export type FileProblem = z.infer<typeof FileProblem>;

/** What is wrong with a file, as a sentence for the sender. */
export function sayFileProblem(given: FileProblem): string {
  switch (given.problem) {
    case 'late':
      return `The file at url did not arrive within ${given.seconds} seconds. ${LATER}`;
    case 'redirects':
      return `The file's server redirected more than ${given.max} times. ${NOTHING}`;
    case 'redirect_refused':
      return `The file's server redirected to a URL that is refused: ${given.why} ${NOTHING}`;
    case 'status':
      return given.passes
        ? `The file's server answered ${given.status}. ${LATER}`
        : `The file's server answered ${given.status}. The URL must lead directly to the file, with status 200. ${NOTHING}`;
    case 'invalid_http':
      return `The file's server, or a proxy before it, answered with invalid HTTP (${given.broken}). Correct it, or use another server. ${NOTHING}`;
    case 'encoded': {
      const what =
        given.encoding === null
          ? 'an unknown encoding for the file'
          : `the encoding "${given.encoding}" for the file, which is unknown here`;
      return `The file's server declares ${what}. Remove it there, or serve the file without it. ${NOTHING}`;
    }
    case 'pixels':
      return `The image at url has ${given.width} x ${given.height} pixels; at most 50 megapixels are sent. ${NOTHING}`;
    case 'audio_not_read':
      return `The file at url is ${given.format}, which WhatsApp Web does not read as audio. Use ${USABLE_AUDIO}, or send it as a document. ${NOTHING}`;
    case 'too_large': {
      const megabytes = given.bytesMax / 1024 ** 2;
      const size = Number.isInteger(megabytes)
        ? `${megabytes} MB (${given.bytesMax} bytes)`
        : `${given.bytesMax} bytes`;
      return `The file at url is larger than ${size}. ${NOTHING} Send a smaller file.`;
    }
    case 'share_full': {
      const megabytes = Math.round(given.usedBytes / 1024 ** 2);
      return `Files of your account that wait to be sent take up ${megabytes} MB, which is your account’s limit. ${NOTHING} Retry when some of them have been sent.`;
    }
    default:
      return SENTENCES[given.problem];
  }
}
