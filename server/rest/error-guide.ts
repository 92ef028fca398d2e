/**
 * What a caller should do after each answer: the table at `/docs`. `key` is the `Idempotency-Key` of the retry;
 * `sent` says whether the message was sent, as far as the answer proves it.
 */
export interface Advice {
  status: number | 'none';
  /** The headers that tell this case from others of the same status; null when the status says it all. */
  sign: string | null;
  meaning: string;
  sent: 'yes' | 'waits' | 'no' | 'perhaps';
  /** Who has to do something: nobody, the program by repeating, the programmer, or a person. */
  who: 'nobody' | 'repeat' | 'fix' | 'person';
  /** What exactly. */
  next: string;
  key: 'same' | 'none';
}

export const ERROR_GUIDE: readonly Advice[] = [
  {
    status: 200,
    sign: null,
    meaning: 'WhatsApp’s server has the message.',
    sent: 'yes',
    who: 'nobody',
    next: 'Done. GET /v1/messages/{id} shows later whether it was delivered and read.',
    key: 'none',
  },
  {
    status: 202,
    sign: null,
    meaning: 'Accepted. The message waits for its slot. Only with Prefer: respond-async.',
    sent: 'waits',
    who: 'nobody',
    next: 'Get the outcome from GET /v1/messages/{id}. Do not post it again.',
    key: 'none',
  },
  {
    status: 400,
    sign: 'no X-Message-Id',
    meaning: 'The request is invalid. The error names the field.',
    sent: 'no',
    who: 'fix',
    next: 'Fix the field, then post again.',
    key: 'same',
  },
  {
    status: 400,
    sign: 'X-Message-Status',
    meaning: 'The Idempotency-Key already made the message that X-Message-Id names, with a different body.',
    sent: 'perhaps',
    who: 'fix',
    next: 'If it is the same order, its message already exists: do not send it again. Keep values that change between retries, such as a timestamp, out of the body.',
    key: 'same',
  },
  {
    status: 400,
    sign: 'Retry-After · X-Send-Outcome: not_sent',
    meaning:
      'Accepted, but the file’s server is unreachable or slow, sent an incomplete file, or answered with a temporary error (5xx, 408, 425, 429).',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After, then post again. If it keeps failing, check the URL and the file’s server.',
    key: 'same',
  },
  {
    status: 400,
    sign: 'no Retry-After · X-Send-Outcome: not_sent',
    meaning: 'Accepted, but the file cannot be used, or the recipient is not on WhatsApp.',
    sent: 'no',
    who: 'fix',
    next: 'Use another file or recipient. A retry gives the same result.',
    key: 'same',
  },
  {
    status: 401,
    sign: null,
    meaning: 'No key, a wrong one, or one that was revoked.',
    sent: 'no',
    who: 'fix',
    next: 'Check the key. If it was revoked, create a new one in the dashboard.',
    key: 'same',
  },
  {
    status: 402,
    sign: null,
    meaning: 'API access is not active: no plan, an ended plan, or more numbers than the plan includes.',
    sent: 'no',
    who: 'person',
    next: 'The administrator enables the plan after payment. Then post again.',
    key: 'same',
  },
  {
    status: 404,
    sign: null,
    meaning: 'The key’s number was removed from the account, or the path or message does not exist.',
    sent: 'no',
    who: 'fix',
    next: 'Check the path and the ID. If the number was removed, create a key for another number.',
    key: 'same',
  },
  {
    status: 409,
    sign: 'Retry-After · X-Number-Status: RECONNECTING, SYNCING or BLOCKED',
    meaning:
      'The number is not connected and reconnects automatically. With BLOCKED, WhatsApp refuses it until a known time.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After, then post again.',
    key: 'same',
  },
  {
    status: 409,
    sign: 'no Retry-After · X-Number-Status says which',
    meaning: 'The number is not connected, is held, or the message was cancelled in the dashboard.',
    sent: 'no',
    who: 'person',
    next: 'Open the number in the dashboard and link or release it. Then post again.',
    key: 'same',
  },
  {
    status: 413,
    sign: null,
    meaning: 'The file is over 16 MB, or the JSON over 256 KiB.',
    sent: 'no',
    who: 'fix',
    next: 'Make it smaller, then post again.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: rate',
    meaning: 'Too many requests of this account, or too many wrong keys from this address.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After. The RateLimit header shows what is left before you reach the limit.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: queue',
    meaning: 'Too many messages are waiting on this number, so this one could not be sent in time.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After, or post with Prefer: respond-async.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: deadline',
    meaning: 'Accepted, but its slot did not come within 40 s.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After, then post again.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: media',
    meaning: 'Accepted, but the files of this account that wait to be sent have reached their limit.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After, then post again. Messages without a file are sent as usual.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: new-contacts',
    meaning:
      'The recipient is new to this number, and WhatsApp or the number’s protection allows no new people right now.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After, then post again. GET /v1/number shows the reason. With Prefer: respond-async, messages that only the protection delays can wait. Messages to known people are not affected.',
    key: 'same',
  },
  {
    status: 500,
    sign: null,
    meaning: 'An error on our side.',
    sent: 'perhaps',
    who: 'person',
    next: 'Contact the administrator and quote X-Request-Id. With an Idempotency-Key a retry is safe.',
    key: 'same',
  },
  {
    status: 502,
    sign: 'X-Send-Outcome: not_sent',
    meaning: 'Sending failed. The message was definitely not sent.',
    sent: 'no',
    who: 'repeat',
    next: 'Post again after a minute. If it keeps failing, check the number in the dashboard.',
    key: 'same',
  },
  {
    status: 502,
    sign: 'X-Send-Outcome: unknown',
    meaning: 'WhatsApp has not confirmed the message. It may have arrived.',
    sent: 'perhaps',
    who: 'person',
    next: 'Never retry it with a new key. GET /v1/messages/{id} shows the outcome once WhatsApp does. Until then, check the phone.',
    key: 'same',
  },
  {
    status: 503,
    sign: 'Retry-After',
    meaning: 'The service is being restarted, cannot reach its database, or has no room for a file.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait for Retry-After, then post again.',
    key: 'same',
  },
  {
    status: 'none',
    sign: 'connection lost, or your own timeout',
    meaning: 'The answer never reached you.',
    sent: 'perhaps',
    who: 'repeat',
    next: 'Post exactly the same request within 10 minutes: it joins the first message instead of creating a second. With an Idempotency-Key this works for 24 hours.',
    key: 'same',
  },
];

/** The headers of answers, for the table and the document. */
export const ANSWER_HEADERS = {
  'X-Request-Id': 'Identifies this request in our logs. Quote it when you contact us. On every answer.',
  'X-Message-Id':
    'The message that the answer is about. On every answer given after acceptance, errors included, and on a 400 about an Idempotency-Key that already made a message.',
  'X-Message-Status':
    'The state of the message that `X-Message-Id` names, with a 400 about an Idempotency-Key that belongs to it: a word of GET /v1/messages/{id}.',
  'X-Send-Outcome':
    '`not_sent`: definitely not sent. `unknown`: it may have been sent, and is never sent again automatically.',
  'X-Number-Status': 'The number’s state, with 409: the words of GET /v1/status.',
  'X-Limit':
    'Which limit a 429 is about: `rate` (requests of the account), `queue` (messages that wait on the number), `deadline` (no slot came in time), `media` (files of the account that wait to be sent) or `new-contacts` (people who are new to the number).',
  'Retry-After': 'Whole seconds after which a retry can succeed.',
  RateLimit: 'What is left of the account’s limit, `r`, and the seconds until it is full again, `t`.',
  'RateLimit-Policy': 'The account’s limit: `q` requests at once, refilled in `w` seconds.',
} as const;
