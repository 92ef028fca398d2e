import { audit } from '#server/accounts/audit.ts';
import { csvFile } from '#server/core/csv.ts';
import { startedAt } from '#server/core/started-at.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { listRequestRows, type RequestFilter } from './queries/request-list.ts';

/** Some 64 KB: a part of a download. */
const PAGE = 500;
const HEAD = [
  ...[
    'started (UTC)',
    'request id',
    'endpoint',
    'status',
    'error code',
    'duration (ms)',
    'key id',
    'number id',
  ],
  ...['message id', 'message state', 'reference', 'recipient'],
];

/** The requests that match, newest first, as a CSV file's lines. The audit log records who asked. */
export async function* requestsCsv(
  { database, accountId, actor }: AccountContext,
  filter: RequestFilter,
): AsyncGenerator<string> {
  const { db } = database;
  await audit(db, { actor, accountId, action: 'requests.csv', target: null });
  const pages = async function* () {
    for (let before: number | undefined; ; ) {
      const rows = await listRequestRows(db, { ...filter, accountId, before, limit: PAGE });
      yield rows;
      before = rows.at(-1)?.id;
      if (rows.length < PAGE) return;
    }
  };
  yield* csvFile(HEAD, pages(), (row) => [
    startedAt(row).toISOString(),
    row.requestId,
    row.endpoint,
    row.status,
    row.errorCode,
    row.durationMs,
    row.keyId,
    row.numberId,
    row.messageId,
    row.messageStatus,
    row.reference,
    row.to,
  ]);
}
