/** Why a session cannot start: the browser of the server. In words for the number's owner; the operator has to act. */
export const BROWSER_FAILED = {
  missing:
    'The browser on the server is missing or cannot be run, so this number is not connected. The operator has to install Chromium or correct CHROMIUM_PATH, and restart Wirebird.',
  openFiles:
    'The server allows too few open files for a browser, so this number is not connected. The operator has to raise the limit (ulimit -n, LimitNOFILE) and restart Wirebird.',
  processes:
    'The server has no memory or process left for a browser, so this number is not connected. The operator has to add memory, or raise the limit of processes.',
  unknown:
    'The browser on the server does not start, so this number is not connected. “cli doctor” shows the operator why.',
} as const;

export type BrowserFailure = keyof typeof BROWSER_FAILED;

/** The reasons as stored in a number's row. */
export const BROWSER_FAILED_REASONS: readonly string[] = Object.values(BROWSER_FAILED);
