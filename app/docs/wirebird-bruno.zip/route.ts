import { brunoArchive } from '#app/_features/reference/collections.ts';

/** The Bruno collection, as a download. */
export const GET = (): Response =>
  new Response(new Uint8Array(brunoArchive()), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="wirebird-bruno.zip"',
    },
  });
