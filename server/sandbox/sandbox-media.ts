import { notFound } from '#server/core/not-found.ts';
import type { NumberRef } from '#server/numbers/queries/numbers.ts';
import type { Db } from '#server/platform/db/client.ts';
import { sandboxClient } from './client.ts';
import { sandboxPhoneOf } from './sandbox-phone.ts';

export interface SandboxFile {
  bytes: Buffer;
  mimeType: string;
  filename: string | null;
}

/** A file that a sandbox number's phone has in its chats. Throws `not_found` for any other. */
export async function sandboxMedia(db: Db, params: NumberRef & { messageId: string }): Promise<SandboxFile> {
  const phone = await sandboxPhoneOf(db, params);
  const sandbox = sandboxClient();
  const entry = (await sandbox.inbox({ phone })).find(({ id }) => id === params.messageId);
  if (entry?.sha256 === undefined) throw notFound('message');
  return {
    bytes: await sandbox.media(entry.sha256),
    mimeType: entry.mimetype ?? 'application/octet-stream',
    filename: entry.filename ?? null,
  };
}
