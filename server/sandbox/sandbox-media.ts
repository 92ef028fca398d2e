import { notFound } from '#server/core/not-found.ts';
import type { OfNumber } from '#server/numbers/get-number.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { sandboxClient } from './client.ts';
import { sandboxPhoneOf } from './sandbox-phone.ts';

export interface SandboxFile {
  bytes: Buffer;
  mimeType: string;
  filename: string | null;
}

/** A file that a sandbox number's phone has sent. Throws `not_found` if there is no such file. */
export async function sandboxMedia(
  scope: AccountScope,
  input: OfNumber & { messageId: string },
): Promise<SandboxFile> {
  const phone = await sandboxPhoneOf(scope, input);
  const sandbox = sandboxClient();
  const entry = (await sandbox.inbox({ phone })).find(({ id }) => id === input.messageId);
  if (entry?.sha256 === undefined) throw notFound('message');
  return {
    bytes: await sandbox.media(entry.sha256),
    mimeType: entry.mimetype ?? 'application/octet-stream',
    filename: entry.filename ?? null,
  };
}
