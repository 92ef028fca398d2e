import { curlCommand } from '#app/_features/keys/curl-command.ts';
import { exampleRequest } from '#server/core/examples.ts';
import { LIMITS } from '#server/core/limits.ts';
import { settings } from '#server/settings.ts';
import { block, type Guide } from './guide.ts';

const megabytes = LIMITS.mediaBytesMax / 1024 / 1024;

export const media: Guide = {
  slug: 'media',
  name: 'Files',
  title: 'Images, documents and audio',
  lead: 'You give the address of a file. Wirebird fetches it as soon as the message is accepted, checks it and sends it.',
  words: 'image picture photo pdf document audio voice video file url',
  text: ({ base, files }) => `
${block('sh', curlCommand({ base, kind: 'image', request: exampleRequest('image', files) }))}

## Supported files

| Endpoint | Files |
|---|---|
| \`/messages/image\` | JPEG, PNG, WebP, GIF; at most 50 megapixels |
| \`/messages/audio\` | MP3, AAC or M4A, OGG with Opus, AMR; others such as WAV as a document |
| \`/messages/document\` | any file that is not empty; it arrives as a document, even if it is an image |

The file’s content decides its type, not \`Content-Type\`. A document’s name decides where the content leaves it open: for text, Office files and unknown content. A file can have at most ${megabytes} MB (${megabytes} × 1024 × 1024 bytes). A larger one gets 413. Send a video as a document.

## Where the file must be

- On a public address, with \`http\` or \`https\`, on port ${settings.mediaPorts.join(', ')}.
- Without a user name or password in the URL. Use a signed link. It must work for the next minute.
- Behind at most 3 redirects. Each is checked like the first address.
- The server must begin its response within 10 seconds and finish within 30 seconds, with status 200 and without compression.

Nothing is fetched from a private network. A private IP address in the URL is refused with \`media_unusable\`, a host name that leads to one with \`media_unavailable\`.

## What goes wrong

| X-Error-Code | Cause | What to do |
|---|---|---|
| \`media_unavailable\` | the server was unreachable or slow, broke off, or returned 5xx, 408, 425 or 429 | retry after \`Retry-After\` |
| \`media_unusable\` | the server returned another status than 200, or the file is of the wrong kind, empty or damaged | use another file |
| \`media_too_large\` | over ${megabytes} MB | make it smaller |
| \`media_share_full\` | the waiting files of your account use all of their space | retry after \`Retry-After\` |

Check a link before you need it: [\`X-Dry-Run: true\`](/docs/guides/queue#check-without-sending) fetches and checks the file and sends nothing.

Files are encrypted on disk and deleted as soon as their message has an outcome. Captions have at most ${LIMITS.captionChars.toLocaleString('en')} characters.
`,
};
