/** Texts that many pages share. */
export const common = {
  product: 'Wirebird',
  close: 'Close',
  cancel: 'Cancel',
  /** Instead of “Cancel”, in a dialog about cancelling messages. */
  goBack: 'Go back',
  dismiss: 'Dismiss',
  copied: 'Copied',
  loading: 'Loading',
  notification: 'Notification',
  actions: (name: string) => `Actions for ${name}`,
  sandbox: 'Sandbox',
  timesIn: (zone: string) => `Times in ${zone}`,
  tryAgain: 'Try again',
  unreachable: 'The server could not be reached. Check the connection and try again.',
} as const;
