/** Where a browser fetches the export of the account that it shows. */
export const EXPORT_PATH = '/api/account/export';
