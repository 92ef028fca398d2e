import type { OfNumber } from '#server/numbers/get-number.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { listUnsent } from './queries/unsent.ts';

const HOURS = 24;
/** At most so many requests are read. */
const REQUESTS_MAX = 1_000;
const RECIPIENTS_MAX = 3;

/** The refused requests to send of the last 24 hours whose messages were not sent since, by number, or of one. */
export async function unsentRequests(
  { database, accountId }: AccountScope,
  { numberId }: Partial<OfNumber> = {},
) {
  const params = { accountId, numberId, hours: HOURS, limit: REQUESTS_MAX, recipients: RECIPIENTS_MAX };
  const rows = await listUnsent(database.db, params);
  const more = rows.reduce((sum, { count }) => sum + count, 0) >= REQUESTS_MAX;
  return rows.map(({ answer, recipients, ...row }) => ({
    ...row,
    /** There may be more. */
    more,
    /** The most frequent reason, as the caller read it; null if it was not kept. */
    reason: reasonIn(answer),
    /** How many other recipients there are. */
    others: recipients - row.to.length,
  }));
}

/** The sentence in an answer: `error` of the envelope, or `detail` of a problem document. */
export function reasonIn(answer: string | null): string | null {
  try {
    const { error, detail } = JSON.parse(answer ?? '{}');
    const sentence = error ?? detail;
    return typeof sentence === 'string' ? sentence : null;
  } catch {
    return null;
  }
}
