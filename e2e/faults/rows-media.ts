import fs from 'node:fs/promises';
import path from 'node:path';
import { FRAMINGS } from './file-server.ts';
import { fateOf, storedFor } from './oracle.ts';
import { type Posted, post } from './post.ts';
import {
  expectNotDelivered,
  expectSent,
  expectSentOrExpired,
  type Posts,
  postWaiting,
  type Row,
} from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Files that arrive only in part, or are damaged while their message waits. */

const PATH = '/messages/document';
let files = 0;

/** A message with a file of its own, which waits for its turn with the file downloaded. */
async function postFile(world: World, posts: Posts): Promise<{ posted: Posted; url: string; file: string }> {
  const number = await world.number();
  files += 1;
  const url = world.files.url(`${files}.bin`);
  const posted = await postWaiting(world, posts, number, { path: PATH, body: { url, filename: 'a.bin' } });
  const [message] = await storedFor(world, posted);
  const file = path.join(world.dataDir, 'media', message?.id ?? '');
  await until('the file is downloaded', async () => (await fs.stat(file).catch(() => null)) !== null);
  return { posted, url, file };
}

/** What a power failure can leave of a file: its length, and nothing else. */
async function damage(file: string): Promise<void> {
  const { size } = await fs.stat(file);
  await fs.writeFile(file, Buffer.alloc(size));
}

/** The damaged file was not sent: it was downloaded a second time. */
function requireSecondDownload(world: World, url: string): void {
  const requests = world.files.requests(url);
  if (requests !== 2) throw new Error(`the file was requested ${requests} times`);
}

export const MEDIA_ROWS: Row[] = [
  {
    name: 'file-cut-off',
    fault: 'the connection of a file is reset after a part of it: with a length, in chunks, without either',
    async run(world, posts, seed) {
      const framing = FRAMINGS[seed % FRAMINGS.length] ?? 'close';
      const body = { url: world.files.cutUrl(framing), filename: 'a.bin' };
      const posted = posts(post(world, await world.number(), { path: PATH, body }));
      return `${framing}: ${await expectNotDelivered(world, posted, '400', 'failed')}`;
    },
  },
  {
    name: 'file-damaged',
    fault: 'a downloaded file is damaged while its message waits, and its URL works',
    async run(world, posts) {
      const { posted, url, file } = await postFile(world, posts);
      await damage(file);
      const seen = await expectSent(world, posted);
      requireSecondDownload(world, url);
      return seen;
    },
  },
  {
    name: 'file-damaged-and-gone',
    fault: 'a downloaded file is damaged while its message waits, and its URL leads nowhere',
    async run(world, posts) {
      const { posted, url, file } = await postFile(world, posts);
      world.files.remove(url);
      await damage(file);
      return expectNotDelivered(world, posted, '502 not_sent', 'failed');
    },
  },
  {
    name: 'file-damaged-worker-killed',
    fault: 'worker SIGKILL, message queued, and its file is damaged, as by a power failure',
    async run(world, posts) {
      const { posted, url, file } = await postFile(world, posts);
      await world.worker.end('SIGKILL');
      await damage(file);
      await world.worker.start();
      const fate = await fateOf(world, posted);
      if (fate.delivered > 0) requireSecondDownload(world, url);
      return expectSentOrExpired(fate);
    },
  },
];
