/** Texts of the reference. The table and the header list come from the API itself. */
export const texts = {
  title: 'API reference',
  lead: 'Send WhatsApp messages from a number that is linked to your account. One key sends from one number; keep it on your server, never in a page or an app.',
  home: 'Dashboard',
  document: 'OpenAPI document',
  sections: {
    start: 'Start',
    answers: 'After each answer',
    headers: 'Headers of answers',
    try: 'Read and try',
  },
  contents: 'On this page',
  start: {
    key: 'Create a key in the dashboard under API. Give it as `Authorization: Bearer`, as `x-api-key`, or as `token` in the JSON body; for GET requests in a header.',
    sent: '`sent` means that WhatsApp’s server has accepted the message: not merely that it left here, and not yet that a person has received it.',
    timeout:
      'A send without `Prefer` is answered within 55 seconds. Give your client a time-out of 60 seconds or more, or ask for an answer at once with `Prefer: respond-async`.',
    repeat:
      'Give each message an `Idempotency-Key`, for example your order’s number. With the same key and the same body a repeat never sends twice, so keep what changes between repeats, such as a timestamp, out of the body.',
    example: 'A message, repeated safely',
    more: 'The API page of the dashboard has the same in Node, Python and PHP.',
    copy: 'Copy the command',
  },
  answers: {
    lead: 'What to do next, for every status and header that tells cases apart. An Idempotency-Key makes every repeat safe: one key for one order, always with the same body.',
    columns: {
      answer: 'Answer',
      meaning: 'Meaning',
      message: 'The message',
      next: 'What next',
      key: 'Idempotency-Key',
    },
    none: 'None',
    sent: { yes: 'Sent', waits: 'Waits', no: 'Not sent', perhaps: 'May have been sent' },
    who: { nobody: 'Nothing to do', repeat: 'Repeat', fix: 'Fix the request', person: 'Fetch a person' },
    keys: { same: 'The same', none: '–' },
  },
  headers: { lead: 'Each is there only where it has something to tell.' },
  try: {
    lead: 'Press Authorize, paste a key and send. These are real messages: a key that begins with `wsk_test_` stays in the sandbox.',
    loading: 'Loading the reference',
    failed: 'The reference could not be loaded. Reload the page.',
  },
} as const;
