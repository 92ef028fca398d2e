import { postmanCollection } from '#app/_features/reference/collections.ts';

/** The Postman collection, as a download. */
export const GET = (): Response =>
  Response.json(postmanCollection(), {
    headers: { 'content-disposition': 'attachment; filename="wirebird.postman_collection.json"' },
  });
