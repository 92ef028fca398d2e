import { extensionArchive } from '#server/numbers/passkey-tools.ts';

/** The browser extension that signs with a passkey, made for this installation's address. */
export const GET = (): Response =>
  new Response(new Uint8Array(extensionArchive()), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="wirebird-passkey.zip"',
    },
  });
