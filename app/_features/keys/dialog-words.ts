/** Texts of dialogs. */
export const keyDialogs = {
  create: {
    title: 'Create key',
    text: 'A key sends from one number. It is shown only once, in the next step.',
    number: 'Sends from',
    name: 'Name',
    nameHelp: 'Where it will be used, for example “Shop backend”.',
    expires: 'Expires',
    expiry: { never: 'Never', d30: 'In 30 days', d90: 'In 90 days', d365: 'In a year' },
    submit: 'Create key',
  },

  rotate: {
    title: (name: string) => `Rotate “${name}”`,
    text: 'You get a new key. The old key keeps working for a while, so you can update your programs one at a time.',
    overlap: 'The old key works for',
    overlapHelp: 'After that it is refused. You can revoke it earlier.',
    overlaps: {
      none: '0 hours: it stops immediately',
      hour: '1 hour',
      day: '1 day',
      week: '7 days',
      month: '30 days',
    },
    submit: 'Create new key',
  },

  shown: {
    oldUntil: (time: string, zone: string) => `The old key works until ${time} (${zone}).`,
    title: (name: string) => `Key “${name}” is ready`,
    text: 'Copy it now. It cannot be shown again: we store only its hash.',
    copy: 'Copy',
    copyLabel: 'Copy the key',
    env: 'Download .env',
    tryIt: 'Try it',
    tryText:
      'This command sends one message. If you run it again, no second message is sent: the Idempotency-Key is the same.',
    copyCommand: 'Copy the command',
    stored: 'I have stored it',
    done: 'Done',
    reference: 'Open the API reference with this key',
    never: (number: string) => `Sends from ${number}, never expires`,
    until: (number: string, day: string) => `Sends from ${number}, until ${day}`,
  },
} as const;
