/** Procedures that one request may call. The dashboard's own client never sends more. */
export const BATCH_MAX = 10;
/** Characters of a request's address at most, as the dashboard's own client makes them; the server takes 8,000. */
export const URL_CHARS_MAX = 6_000;
