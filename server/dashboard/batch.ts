/** Procedures that one request may call. The dashboard's own client never sends more. */
export const BATCH_MAX = 10;
/** The longest address that the dashboard's client makes, in characters; the server accepts 8,000. */
export const URL_CHARS_MAX = 6_000;
