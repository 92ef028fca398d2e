import { restFetchHandler } from '#server/rest/fetch-handler.ts';

export const dynamic = 'force-dynamic';

export {
  restFetchHandler as DELETE,
  restFetchHandler as GET,
  restFetchHandler as HEAD,
  restFetchHandler as OPTIONS,
  restFetchHandler as PATCH,
  restFetchHandler as POST,
  restFetchHandler as PUT,
};
