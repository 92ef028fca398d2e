/** The name of the saved view in an address. */
export const VIEW = 'view';
