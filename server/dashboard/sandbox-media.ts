import { z } from 'zod';
import { MEDIA_RULES } from '#server/core/message.ts';
import { notFound } from '#server/core/not-found.ts';
import { sandboxMedia } from '#server/sandbox/sandbox-media.ts';
import { accountOf } from './account-of.ts';
import { orRefusal } from './file-answer.ts';
import { dashboardContext } from './handle.ts';

const Ids = z.object({ numberId: z.string().max(64), messageId: z.string().max(200) });

/** MIME types that a page may show inline; every other file is a download. */
const SHOWN = new Set(Object.values(MEDIA_RULES).flatMap(({ shown }) => shown));

/** Answers with a file from a virtual phone's chats, to a member of the number's account. */
export function handleSandboxMedia(
  request: Request,
  params: { numberId: string; messageId: string },
): Promise<Response> {
  return orRefusal(async () => {
    const context = await dashboardContext(request.headers, request.url);
    if (!Ids.safeParse(params).success) throw notFound('message');
    const { accountId } = accountOf(context);
    const file = await sandboxMedia({ database: context.database, accountId }, params);
    const type = file.mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
    const shown = SHOWN.has(type);
    return new Response(new Uint8Array(file.bytes), {
      headers: {
        'content-type': shown ? type : 'application/octet-stream',
        'content-length': String(file.bytes.length),
        'content-disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.filename ?? 'file')}`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
    });
  });
}
