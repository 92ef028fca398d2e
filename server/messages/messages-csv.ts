import { audit } from '#server/accounts/audit.ts';
import { csvFile } from '#server/core/csv.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import {
  findStretch,
  isScanned,
  type MessageFilter,
  type MessageRange,
  type StretchEnd,
} from './queries/message-filter.ts';
import { exportedMessages } from './queries/message-list.ts';

/** Some 64 KB: a part of a download. */
const PAGE = 500;
/** Of a filter that no index serves, each statement looks through this many messages. */
const LOOKED_THROUGH = 200_000;
const HEAD = [
  ...['accepted at (UTC)', 'message id', 'number id', 'number', 'recipient', 'type', 'status', 'error code'],
  ...['reference', 'sent at (UTC)', 'delivered at (UTC)', 'read at (UTC)'],
];

/**
 * The messages that match, newest first, as a CSV file's lines, without their texts. The audit log records who
 * asked.
 */
export async function* messagesCsv(
  { database, accountId, actor }: AccountContext,
  filter: Omit<MessageFilter, 'accountId'>,
): AsyncGenerator<string> {
  const { db } = database;
  await audit(db, { actor, accountId, action: 'messages.csv', target: null });
  const pages = async function* () {
    for (let before: number | null = null; ; ) {
      const range: MessageRange = { ...filter, accountId, before };
      const end: StretchEnd | null = isScanned(range)
        ? await findStretch(db, { ...range, rows: LOOKED_THROUGH })
        : null;
      const rows = await exportedMessages(db, { ...range, downTo: end, limit: PAGE });
      yield rows;
      before = (rows.length < PAGE ? end?.seq : rows.at(-1)?.seq) ?? null;
      if (before === null) return;
    }
  };
  yield* csvFile(HEAD, pages(), (row) => [
    row.createdAt.toISOString(),
    row.id,
    row.numberId,
    row.numberLabel,
    row.to,
    row.type,
    row.status,
    row.errorCode,
    row.reference,
    row.sentAt?.toISOString() ?? null,
    row.deliveredAt?.toISOString() ?? null,
    row.readAt?.toISOString() ?? null,
  ]);
}
