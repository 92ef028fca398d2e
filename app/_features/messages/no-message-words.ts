/** Texts of an empty list. */
export const noMessage = {
  empty: {
    title: 'No messages yet',
    text: 'Messages your programs send appear here automatically, with their outcome.',
    do: 'Show sample code',
  },
  none: {
    title: 'No messages match',
    text: 'No messages in this account match these filters.',
    do: 'Clear filters',
  },
} as const;
