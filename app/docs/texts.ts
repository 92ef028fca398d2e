/** Texts of the reference. The table and the header list come from the API itself. */
export const texts = {
  title: 'API reference',
  lead: 'Send WhatsApp messages from a number that is linked to your account. One key sends from one number. Keep it on your server, never in a browser or an app.',
  home: 'Dashboard',
  document: 'OpenAPI document',
  sections: {
    start: 'Getting started',
    answers: 'Answers and retries',
    headers: 'Answer headers',
    try: 'Endpoints',
  },
  contents: 'On this page',
  start: {
    key: 'Create a key in the dashboard under API. Send it as `Authorization: Bearer`, as `x-api-key`, or as `token` in the JSON body. GET requests need it in a header.',
    sent: '`sent` means that WhatsApp’s server has confirmed the message. It does not mean that the recipient’s phone has received it.',
    timeout:
      'A request is answered within 55 seconds. Set your client’s timeout to at least 60 seconds, or send `Prefer: respond-async` to get an answer immediately.',
    repeat:
      'Send one `Idempotency-Key` for each message, for example your order number. A retry with the same key and the same body never sends twice. Keep values that change between retries, such as a timestamp, out of the body.',
    example: 'Send a message, with retries',
    more: 'The dashboard’s API page has the same code for Node, Python and PHP.',
    copy: 'Copy the command',
  },
  answers: {
    lead: 'What each status means and what to do next. With an Idempotency-Key every retry is safe: use one key for each message, always with the same body.',
    columns: {
      answer: 'Answer',
      meaning: 'Meaning',
      message: 'Message',
      next: 'Next step',
      key: 'Idempotency-Key',
    },
    none: 'None',
    sent: { yes: 'Sent', waits: 'Waiting', no: 'Not sent', perhaps: 'May have been sent' },
    who: { nobody: 'Nothing to do', repeat: 'Retry', fix: 'Fix the request', person: 'Needs a person' },
    keys: { same: 'The same', none: '–' },
  },
  headers: { lead: 'An answer has only the headers that apply to it.' },
  try: {
    lead: 'Choose Authorize, paste a key and send. Messages are really sent. With a key that begins with `wsk_test_` they stay in the sandbox.',
    loading: 'Loading the endpoints',
    failed: 'The reference could not be loaded. Reload the page.',
  },
} as const;
