/** Where a browser fetches the lists of its account as CSV files, with the filters of the page in the query. */
export const CSV_PATHS = { messages: '/api/account/messages', requests: '/api/account/requests' } as const;
