import { listMessages } from '#server/messages/list-messages.ts';
import { openMessageArchive } from './message-archive.ts';
import { summarise } from './statistics.ts';

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
    const results: Record<string, unknown> = {};
    let slowest = 0;
    for (const [name, search] of Object.entries(asked)) {
      const times: number[] = [];
      let rows = 0;
      for (let n = 0; n < TIMES; n++) {
        const from = performance.now();
        rows = (await listMessages({ database, accountId }, { search, limit: PAGE })).rows.length;
        times.push(performance.now() - from);
      }
      const { p50, p95, max } = summarise(times);
      results[name] = { rows, p50, p95, max };
      slowest = Math.max(slowest, p95);
    }
    return {
      messages: MESSAGES,
      ...results,
      ratio: { 'slowest p95, of 200 ms': Math.round((slowest / WANTED_MS) * 100) / 100 },
    };
  } finally {
    await cleanup.disposeAsync();
  }
}
