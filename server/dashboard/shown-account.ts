/** The field in a request's query that names the account that its page shows. */
export const SHOWN_ACCOUNT = 'account';
