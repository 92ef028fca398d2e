/** What the account page says about keeping, handing over and deleting what is stored. */
export const privacy = {
  retention: {
    title: 'What is kept, and for how long',
    lead: 'Afterwards it is erased within minutes, and pages say so. Lower it as far as 0. Files are deleted as soon as their message has an outcome.',
    text: 'Texts and captions',
    textUnit: 'days',
    metadata: 'Everything else about a message',
    metadataUnit: 'days: to whom, when, and its outcome',
    atMost: (most: number) => `0 to ${most}`,
    submit: 'Keep it so',
    done: 'Changed: what is over is erased within minutes',
  },

  data: {
    title: 'Your data',
    exportLead: 'Everything that is stored about this account, as JSON files in a zip archive.',
    export: 'Export',
    exported: 'The download has begun',
    deleteLead: 'Deletes the account for good. Your phones are unlinked.',
    delete: 'Delete this account…',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'This cannot be undone. Export your data first if you may need it.',
    typeName: (name: string) => `Type ${name} to go on`,
    ends: [
      'API keys are refused from this moment on',
      'Numbers are unlinked, and waiting messages cancelled',
      'Messages, numbers, keys and people without another account are deleted',
    ],
    stays: 'The audit log stays, without names and addresses',
    keep: 'Keep the account',
    do: 'Delete it for good',
  },
} as const;
