/** Texts that many pages share. */
export const common = {
  product: 'Wirebird',
  close: 'Close',
  cancel: 'Cancel',
  /** Instead of “Cancel”, in a dialog about cancelling messages. */
  goBack: 'Go back',
  dismiss: 'Dismiss',
  showTyped: 'Show what is typed',
  hideTyped: 'Hide what is typed',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading',
  notification: 'Notification',
  retry: 'Try again',
  save: 'Save',
  actions: (name: string) => `Actions for ${name}`,
  sandbox: 'Sandbox',
  never: 'Never',
  timesIn: (zone: string) => `Times in ${zone}`,
  unreachable: 'The server could not be reached. Check the connection and try again.',
  failedToLoad: 'This could not be loaded',
  unlabelled: 'Unnamed number',
} as const;
