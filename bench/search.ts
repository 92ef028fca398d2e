import { listMessages } from '#server/messages/list-messages.ts';
import { openMessageArchive, timeLists } from './message-archive.ts';

const MESSAGES = 50_000;
const TIMES = 20;
const PAGE = 50;
const WANTED_MS = 200;

/** One page of a list of 50,000 messages for different searches, as the dashboard requests it. */
export async function benchSearch() {
  const cleanup = new AsyncDisposableStack();
  try {
    const { database, accountId } = await openMessageArchive(cleanup, { messages: MESSAGES });
    const asked = {
      'in every message': 'parcel',
      'in one of them, the oldest': 'parcel 1 arrives',
      'in none': 'kingfisher',
      'part of a recipient': '+49 15 0000 7919',
      'an id': `msg_${String(MESSAGES / 2).padStart(24, '0')}`,
    };
    const read = async (search: string) =>
      (await listMessages({ database, accountId }, { search, limit: PAGE })).rows;
    return { messages: MESSAGES, ...(await timeLists(asked, read, { times: TIMES, wantedMs: WANTED_MS })) };
  } finally {
    await cleanup.disposeAsync();
  }
}
