import type { ZodObject, z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import { messagesCsv } from '#server/messages/messages-csv.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { requestsCsv } from '#server/requests/requests-csv.ts';
import { accountOf, refuseViewer, userOf } from './account-of.ts';
import type { DashboardContext } from './context.ts';
import { downloadCsv, orRefusal } from './file-answer.ts';
import { downloadOf } from './handle.ts';
import { MessageFilters, RequestFilters, withDates } from './list-filters.ts';

type Answer = (context: DashboardContext, query: URLSearchParams) => Promise<Response>;

/** A member's messages that match the query, as a CSV file. */
export const answerMessagesCsv: Answer = (context, query) =>
  answerCsv(context, 'messages', (account) =>
    messagesCsv(account, withDates(parse(MessageFilters, Object.fromEntries(query)))),
  );

/** A member's requests that match the query, as a CSV file. */
export const answerRequestsCsv: Answer = (context, query) =>
  answerCsv(context, 'requests', (account) => {
    const { refused, ...fields } = Object.fromEntries(query);
    const given = { ...fields, ...(refused !== undefined && { refused: refused === 'true' }) };
    return requestsCsv(account, withDates(parse(RequestFilters, given)));
  });

export const handleMessagesCsv = downloadOf(answerMessagesCsv);
export const handleRequestsCsv = downloadOf(answerRequestsCsv);

function answerCsv(
  context: DashboardContext,
  name: string,
  linesOf: (account: AccountContext) => AsyncIterable<string>,
): Promise<Response> {
  return orRefusal(async () => {
    const { userId, signInId } = userOf(context);
    // It writes to the audit log, so it counts as a mutation despite its method.
    refuseViewer(context, { type: 'mutation', path: `${name}.csv` });
    const { accountId } = accountOf(context);
    const actor = { kind: 'user', userId, address: context.address } as const;
    const { database } = context;
    const lines = linesOf({ database, accountId, actor });
    return downloadCsv(name, lines, { database, signInId, accountId });
  });
}

function parse<Filters extends ZodObject>(filters: Filters, given: unknown): z.infer<Filters> {
  const parsed = filters.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError(
    'invalid_parameters',
    `${issue?.path.join('.')} is not valid. Choose the filters on the page.`,
  );
}
