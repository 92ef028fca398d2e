/** Which of a user's accounts the page shows; a choice, not a permission. */
export const ACCOUNT_COOKIE = 'wirebird_account';
