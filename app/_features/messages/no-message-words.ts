/** Texts of an empty list. */
export const noMessage = {
  empty: {
    title: 'No message yet',
    text: 'Messages your programs send appear here automatically, with their outcome.',
    do: 'Show sample code',
  },
  none: {
    title: 'No message matches',
    text: 'No message in this account matches these filters.',
    do: 'Clear filters',
  },
} as const;
