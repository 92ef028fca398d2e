import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isMedia, type MessageContent } from '#server/core/message.ts';
import type { SenderContext } from '#server/platform/db/context.ts';
import { fetchMedia } from '#server/platform/media/fetch-media.ts';
import { createKeyedLimiter } from '#server/platform/media/limit.ts';
import { allowedMediaHosts } from '#server/sandbox/media-hosts.ts';
import { settings } from '#server/settings.ts';
import { type AdmissionRequest, checkAdmission } from './admission.ts';
import { requireMediaUrl } from './require-media-url.ts';

/** How many files are checked at once, for one account and for all together: each takes up to 16 MB of disk. */
const ofAccount = createKeyedLimiter(2);
const ofAll = createKeyedLimiter(8);

/**
 * Runs every check of a send up to the queue, its file included; stores and sends nothing. Resolves as
 * {@link checkAdmission}, and fetches no file for a repeat. Throws what sending throws before the message waits, and `media_too_large`,
 * `media_unusable`, `media_unavailable`. Only a send finds out whether the recipient is on WhatsApp.
 */
export async function checkSend(
  context: SenderContext,
  request: AdmissionRequest & { signal: AbortSignal },
): ReturnType<typeof checkAdmission> {
  requireMediaUrl(request.content);
  // The cheap checks come first: a refused request fetches no file.
  const checked = await checkAdmission(context, request);
  if (checked.earlierId === null) await checkFile(context.accountId, request.content, request.signal);
  return checked;
}

async function checkFile(accountId: string, content: MessageContent, signal: AbortSignal): Promise<void> {
  if (!isMedia(content)) return;
  const spoolFile = path.join(os.tmpdir(), `wirebird-dry-run-${randomUUID()}`);
  const rules = { allowHosts: allowedMediaHosts(), ports: settings.mediaPorts };
  const fetchIt = () => fetchMedia({ ...rules, url: content.url, kind: content.type, spoolFile, signal });
  try {
    await ofAccount(accountId, () => ofAll('all', fetchIt, signal), signal);
  } finally {
    await rm(spoolFile, { force: true });
  }
}
