/** Texts about retention, export and deletion of stored data. */
export const privacy = {
  retention: {
    title: 'Data retention',
    lead: 'Older data is erased within minutes. Files are deleted as soon as their message has an outcome.',
    text: 'Texts and captions',
    textUnit: 'days',
    metadata: 'Other message data',
    metadataUnit: 'days. Recipient, time and outcome, also in webhook events',
    atMost: (most: number) => `0 to ${most}`,
    submit: 'Save',
    done: 'Saved. Older data is erased within minutes',
  },

  data: {
    title: 'Your data',
    exportLead: 'All data stored about this account, as JSON files in a zip archive.',
    export: 'Export',
    exported: 'The download has started',
    deleteLead: 'Permanently deletes the account. Your phones are unlinked.',
    delete: 'Delete this account…',
    deleteText: 'This cannot be undone. Export your data first if you may need it.',
    typeName: (name: string) => `Type ${name} to confirm`,
    deleteDialog: (name: string) => ({
      title: `Delete ${name}?`,
      ends: [
        'API keys stop working immediately',
        'Numbers are unlinked, and waiting messages cancelled',
        'Messages, numbers, keys, and users without another account are deleted',
      ],
      stays: ['The audit log is kept, without names and addresses'],
      keep: 'Keep the account',
      submit: 'Delete permanently',
    }),
  },
} as const;
