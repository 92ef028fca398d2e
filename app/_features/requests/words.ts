export const requests = {
  title: 'Requests',
  lead: 'Every API request with one of your keys, its response, and the state of its message. Newest first.',
  view: 'Requests',
  all: 'All',
  refused: 'Refused',
  /** Refused requests to send, without those whose message was sent later. */
  unsent: 'Not sent',
  key: 'Key',
  everyKey: 'All keys',
  status: 'Response',
  everyStatus: 'All responses',
  classes: { '2xx': '2xx accepted', '4xx': '4xx refused', '5xx': '5xx failed' } as Record<string, string>,
  number: 'Number',
  everyNumber: 'All numbers',
  code: 'Error code',
  everyCode: 'All codes',
  period: 'Period',
  periods: { hour: 'Last hour', day: 'Last 24 hours', week: 'All times', range: 'Custom' },
  from: 'From',
  to: 'To',
  search: 'X-Request-Id or recipient',
  clear: 'Clear the search',
  notAnId:
    'Enter a whole X-Request-Id, for example 0f8fad5b-d9cb-469f-a165-70867728950e, or at least 4 digits of a recipient.',
  columns: {
    time: 'Started',
    request: 'Request',
    status: 'Response',
    message: 'Message',
    recipient: 'Recipient',
    code: 'Error',
    key: 'Key',
    duration: 'Duration',
  },
  /** Of a request about the message of an earlier one. */
  repeat: 'Repeat',
  removedKey: 'Deleted key',
  /** The client disconnected before the response. */
  noAnswer: 'None',
  hungUp: 'Your client disconnected',
  hungUpWaiting: 'Your client disconnected while the message waited',
  empty: {
    title: 'No requests yet',
    text: 'Requests appear here as soon as your program calls the API.',
  },
  searching: 'Searching',
  noMatch: { title: 'No requests match these filters.' },
  more: 'Show older requests',
  csv: 'Export CSV',
  ms: (ms: number) => `${ms.toLocaleString('en')} ms`,

  detail: {
    toDo: 'What to do',
    answer: 'Response',
    body: 'Body',
    noAnswer: 'No response: your client disconnected first.',
    bodyHelp: 'The text is hidden here.',
    bodyInMessage: 'The text is hidden here. Open the message to read it.',
    state: 'The message is now:',
    /** Of a request whose Idempotency-Key was used before. */
    earlierState: 'This request made no message. The earlier message of its Idempotency-Key is now:',
    hungUp: (seconds: string) => `Your client closed the connection after ${seconds} s, before the response.`,
    notCancelled: 'This did not cancel the message.',
    leftWaiting: 'This did not cancel the message: it was accepted, and was still waiting for its turn.',
    notAccepted: 'An equal request was already being processed, so this one sent nothing.',
    repeat: 'This request repeats an earlier one, and sent nothing new.',
    sentSince: (keyed: boolean, answered: boolean) =>
      `The message was sent, so there is nothing to send. ${
        keyed
          ? 'Automatic repeats with the same Idempotency-Key are safe.'
          : `${answered ? 'Do not send it again: a repeat got the response, so the same request now makes a second message.' : 'After 10 minutes, the same request makes a second message.'} An Idempotency-Key for each message prevents this for 24 hours.`
      }`,
    /** Of a request without an Idempotency-Key, whose repeat still gets the outcome of its message. */
    repeatUntil: (time: string) =>
      `Do not send it as a new message. This request had no Idempotency-Key: repeat exactly the same request before ${time}, and only until there is a response, which is about this message. After that, a repeat sends the message a second time.`,
    repeatSends:
      'Do not repeat the request: a repeat now sends the message a second time. GET /v1/messages/{id} shows its outcome.',
    notSent: 'The message was definitely not sent, and its page says why. To send it, repeat the request.',
    timeouts: 'Client timeouts',
    noBody: ({ endpoint, errorCode }: { endpoint: string; errorCode: string | null }) =>
      errorCode !== null && /^(POST|PATCH) /.test(endpoint)
        ? 'No JSON object arrived: the request had no body, or one of another kind, such as a form.'
        : 'The request had no body.',
    requestId: 'X-Request-Id',
    copyId: 'Copy the X-Request-Id',
    reference: 'Reference',
    recipient: 'Recipient',
    started: 'Started',
    ended: 'Ended',
    key: 'API key',
    number: 'Number',
    removedNumber: 'Removed number',
    duration: 'Duration',
    message: 'Open message',
  },
} as const;
