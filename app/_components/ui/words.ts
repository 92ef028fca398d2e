/** Texts that many pages share. */
export const common = {
  product: 'Wirebird',
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading',
  notification: 'Notification',
  retry: 'Try again',
  save: 'Save',
  actions: (name: string) => `Actions for ${name}`,
  sandbox: 'Sandbox',
  never: 'Never',
  unreachable: 'The server could not be reached. Check the connection and try again.',
  failedToLoad: 'This could not be loaded',
  unlabelled: 'Number without label',
} as const;
