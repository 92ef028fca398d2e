const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an `X-Request-Id`. */
export const isRequestId = (text: string): boolean => REQUEST_ID.test(text);
