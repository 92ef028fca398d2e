import { notFound } from '#server/core/not-found.ts';
import type { OfNumber } from '#server/numbers/get-number.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { listUnsent, markRequestsDismissed } from './queries/unsent.ts';

const HOURS = 24;
/** At most so many requests are read. */
const REQUESTS_MAX = 1_000;
const RECIPIENTS_MAX = 3;

/** The refused requests to send of the last 24 hours that were neither sent since nor dismissed, by number, or of one. */
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

/**
 * Takes the refused requests to a number, up to `latestId`, out of the overview's "Needs attention", for all members. They
 * stay in the request log. Repeating it changes nothing. Throws `not_found`.
 */
export async function dismissUnsent(
  { database, accountId }: AccountScope,
  input: { numberId: string | null; latestId: number },
): Promise<void> {
  if (!(await markRequestsDismissed(database.db, { accountId, ...input }))) throw notFound('request');
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
