import { strToU8, Zip, ZipDeflate } from 'fflate';
import { notFound } from '#server/core/not-found.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { audit } from './audit.ts';
import { findAccountById } from './queries/accounts.ts';
import { readAudit, readMessages, readParts, readRequests } from './queries/export.ts';

const PAGE = 500;

/**
 * An account's data as a zip archive of JSON files, streamed, so that a million messages need no more memory than
 * a page of them. It contains no secrets and no hashes of keys or passwords. Throws `not_found`, before the first
 * part.
 */
export async function exportAccount(
  context: AccountContext,
): Promise<{ fileName: string; parts: AsyncGenerator<Uint8Array> }> {
  const { accountId } = context;
  await requireAccount(context);
  const day = new Date().toISOString().slice(0, 10);
  return { fileName: `wirebird-${accountId}-${day}.zip`, parts: audited(context) };
}

/** The archive. The export is recorded when its first part is taken, because a file may not open. */
async function* audited(context: AccountContext): AsyncGenerator<Uint8Array> {
  const { database, accountId, actor } = context;
  await requireAccount(context);
  await audit(database.db, { actor, accountId, action: 'account.export', target: accountId });
  yield* zipped(filesOf(database, accountId));
}

async function requireAccount({ database, accountId }: AccountContext): Promise<void> {
  if (!(await findAccountById(database.db, { accountId }))) throw notFound('account');
}

interface TextFile {
  name: string;
  texts: AsyncIterable<string> | Iterable<string>;
}

async function* filesOf(database: Database, accountId: string): AsyncGenerator<TextFile> {
  const { db } = database;
  for (const [name, rows] of Object.entries(await readParts(db, { accountId })))
    yield { name: `${name}.json`, texts: [`${JSON.stringify(rows, null, 2)}\n`] };
  const page = { accountId, limit: PAGE };
  yield { name: 'messages.json', texts: list((after) => readMessages(db, { ...page, after })) };
  yield { name: 'requests.json', texts: list((after) => readRequests(db, { ...page, after })) };
  yield { name: 'audit.json', texts: list((after) => readAudit(db, { ...page, after })) };
}

/** A JSON array, from pages of rows. */
async function* list(read: (after: number) => PromiseLike<{ seq: number }[]>): AsyncGenerator<string> {
  let after = 0;
  let before = '[';
  for (;;) {
    const rows = await read(after);
    for (const { seq, ...row } of rows) {
      yield `${before}\n${JSON.stringify(row)}`;
      before = ',';
      after = seq;
    }
    if (rows.length < PAGE) break;
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

async function* zipped(files: AsyncIterable<TextFile>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  for await (const { name, texts } of files) {
    const file = new ZipDeflate(name);
    zip.add(file);
    for await (const text of texts) {
      file.push(strToU8(text));
      yield* made.splice(0);
    }
    file.push(new Uint8Array(), true);
    yield* made.splice(0);
  }
  zip.end();
  yield* made.splice(0);
}
