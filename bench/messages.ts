import { personOf } from '#server/core/recipient.ts';
import { listNumberMessages } from '#server/messages/get-message.ts';
import { openMessageArchive, timeLists } from './message-archive.ts';

const MESSAGES = 1_000_000;
const TIMES = 50;
const PAGE = 50;
const WANTED_MS = 50;

/** A page of `GET /v1/messages` of a number with a million messages, by each filter. */
export async function benchMessages() {
  const cleanup = new AsyncDisposableStack();
  try {
    const { database, numberId } = await openMessageArchive(cleanup, { messages: MESSAGES });
    const page = { after: null, limit: PAGE };
    const now = Date.now();
    const ago = (share: number) => new Date(now - share * MESSAGES * 8000);
    const [middle] = (
      await listNumberMessages({ database, numberId }, { ...page, until: ago(0.5), limit: 1 })
    ).messages;
    const next = await listNumberMessages({ database, numberId }, { ...page, until: ago(0.5) });
    const to = personOf(middle?.to.slice(0, -'@c.us'.length) ?? '');
    const asked = {
      'the newest': page,
      'a page in the middle': { ...page, after: next.next },
      'one reference': { ...page, reference: `order-${Math.floor(MESSAGES / 3)}` },
      'no such reference': { ...page, reference: 'none' },
      'a rare status': { ...page, status: 'failed' },
      'a status that none has': { ...page, status: 'unknown' },
      'one recipient': { ...page, to },
      'a recipient and a status that do not meet': { ...page, to, status: 'unknown' },
      'the oldest hour': { ...page, until: ago(0.9996) },
      'a rare status in the oldest tenth': { ...page, status: 'failed', until: ago(0.9) },
    } as const;
    const read = async (filter: (typeof asked)[keyof typeof asked]) =>
      (await listNumberMessages({ database, numberId }, filter)).messages;
    return { messages: MESSAGES, ...(await timeLists(asked, read, { times: TIMES, wantedMs: WANTED_MS })) };
  } finally {
    await cleanup.disposeAsync();
  }
}
