/** Where a browser fetches the lists of its account as CSV files, with the filters of the page in the query. */
export const CSV_PATHS = { messages: '/api/account/messages', requests: '/api/account/requests' } as const;
/** Where it fetches the export of the account that it shows. */
export const EXPORT_PATH = '/api/account/export';
/** Where the administrator's browser fetches all payments. */
export const PAYMENTS_PATH = '/api/admin/payments';
/** The field in a request's query that names the account that its page shows. */
export const SHOWN_ACCOUNT = 'account';
/** The one that names the user whom its page shows. */
export const SHOWN_USER = 'user';
