import { searchIndex } from '#app/_features/reference/search-index.ts';

/** What the documentation's search finds, as JSON. */
export const GET = (): Response => Response.json(searchIndex());
