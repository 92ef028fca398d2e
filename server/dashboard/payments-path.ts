/** Where the administrator's browser fetches all payments. */
export const PAYMENTS_PATH = '/api/admin/payments';
