import { handleSandboxMedia } from '#server/dashboard/sandbox-media.ts';

/** A picture, sound or file in a virtual phone's chats. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ numberId: string; messageId: string }> },
) {
  return handleSandboxMedia(request, await params);
}
