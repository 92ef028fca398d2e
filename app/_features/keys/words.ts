export const keys = {
  title: 'API',
  lead: 'One key sends from one number. Keep it on your server, never in a browser or an app.',
  reference: 'Reference',
  create: 'Create key',

  list: {
    title: 'Keys',
    aside: 'Keys are shown only once',
    name: 'Name',
    key: 'Key',
    number: 'Sends from',
    lastUsed: 'Last used',
    expires: 'Expires',
    never: 'Never',
    notYet: 'Not yet',
    removedNumber: 'Removed number',
    usedAgo: (number: string) => `${number}, used`,
    notUsed: (number: string) => `${number}, not used yet`,
    revoked: 'Revoked',
    expired: 'Expired',
    empty: {
      title: 'No keys yet',
      text: 'Your program sends a key with each request. A key belongs to one number and is shown once.',
    },
    noNumber: {
      title: 'No keys yet',
      text: 'A key belongs to a number. Add a number first.',
      do: 'Add a number',
    },
    showRevoked: (count: number) => `Show ${count} inactive ${count === 1 ? 'key' : 'keys'}`,
    messages: 'View messages',
    revoke: 'Revoke',
    rotate: 'Rotate',
    hangUps: {
      title: (name: string, count: number, seconds: number) =>
        `The program with “${name}” disconnected ${count} times in 7 days, mostly after ${seconds} s`,
      text: 'Set the client’s timeout to at least 60 s, because a response can take 55 s. Or send “Prefer: respond-async” to get a response immediately. Until then, the program cannot know whether its message was sent. A retry with the same Idempotency-Key and body sends nothing twice.',
      last: 'Last time:',
    },
  },

  usage: {
    title: 'Usage',
    of: 'Of',
    all: 'Everything',
    key: (name: string) => `Key ${name}`,
    day: 'Day',
    sent: 'Sent',
    failed: 'Failed',
    refused: 'Refused',
  },

  revokeDialog: (name: string) => ({
    title: `Revoke “${name}”?`,
    text: 'Programs that use this key are refused from their next request. This cannot be undone.',
    ends: ['Every request with it gets 401', 'Waiting messages sent with it are cancelled'],
    stays: ['Other keys, the number and its history are kept'],
    keep: 'Keep key',
    submit: 'Revoke',
    done: `“${name}” is revoked`,
  }),

  code: {
    title: 'Send from your code',
    kind: 'Message type',
    language: 'Language',
    copy: 'Copy the code',
    repeat:
      'Use one Idempotency-Key for each message, for example your order number, and store it with the order. A retry with the same key and the same body never sends twice. Keep values that change between retries, such as a timestamp, out of the body.',
    answer: 'sent: WhatsApp has confirmed it',
  },

  answers: {
    title: 'Other responses',
    all: 'All responses',
    list: [
      {
        status: 402,
        tone: 'warn',
        title: 'The plan is not active.',
        text: 'Sending stops until a payment is recorded. Nothing is deleted.',
      },
      {
        status: 409,
        tone: 'warn',
        title: 'The number is not connected.',
        text: 'Nothing was sent. Its page under Numbers says what to do.',
      },
      {
        status: 429,
        tone: 'wait',
        title: 'Too many requests, or the queue is full.',
        text: 'Wait for the time in Retry-After, then retry.',
      },
      {
        status: 502,
        tone: 'fail',
        title: 'The message failed, or WhatsApp did not confirm it.',
        text: 'Read X-Send-Outcome. not_sent: definitely not sent. unknown: it may have arrived, so never send it again with another Idempotency-Key.',
      },
    ],
  },

  interval: { title: 'Interval between messages', number: 'Number' },

  limits: {
    title: 'Limits of this account',
    sends: 'Sends',
    reads: 'Reads',
    perMinute: (count: string) => `${count} per minute`,
    waiting: 'Waiting per number',
    messages: (count: string) => `${count} ${count === '1' ? 'message' : 'messages'}`,
    text: 'Text',
    characters: (count: string) => `${count} characters`,
    media: 'File',
    megabytes: (count: number) => `${count} MB`,
  },
} as const;
