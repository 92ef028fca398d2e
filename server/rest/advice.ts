/**
 * What a caller does after each answer: the table of `/docs`. `key` is the `Idempotency-Key` of the repeat;
 * `sent` whether the message is on its way, as far as the answer proves it.
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

export const ADVICE: readonly Advice[] = [
  {
    status: 200,
    sign: null,
    meaning: 'WhatsApp’s server has the message.',
    sent: 'yes',
    who: 'nobody',
    next: 'Done. GET /v1/messages/{id} tells later whether it was delivered and read.',
    key: 'none',
  },
  {
    status: 202,
    sign: null,
    meaning: 'Accepted; the message waits for its slot. Only where Prefer asked for it.',
    sent: 'waits',
    who: 'nobody',
    next: 'Ask GET /v1/messages/{id} for the outcome. Do not post it again.',
    key: 'none',
  },
  {
    status: 400,
    sign: 'no X-Message-Id',
    meaning: 'The request is wrong; the sentence names the field.',
    sent: 'no',
    who: 'fix',
    next: 'Correct what the sentence says, then post again.',
    key: 'same',
  },
  {
    status: 400,
    sign: 'X-Message-Status',
    meaning: 'The Idempotency-Key already made the message that X-Message-Id names, with a different body.',
    sent: 'perhaps',
    who: 'fix',
    next: 'If it is the same order, it has its message: do not send it again. Keep what changes between repeats, such as a timestamp, out of the body.',
    key: 'same',
  },
  {
    status: 400,
    sign: 'Retry-After · X-Send-Outcome: not_sent',
    meaning:
      'Accepted, but the file’s server is away, slow, cut the file off, or answered with a status that may pass (5xx, 408, 425, 429).',
    sent: 'no',
    who: 'repeat',
    next: 'Wait as long as Retry-After says, then post again. When it goes on, check url and the file’s server.',
    key: 'same',
  },
  {
    status: 400,
    sign: 'no Retry-After · X-Send-Outcome: not_sent',
    meaning: 'Accepted, but the file cannot be used, or the recipient is not on WhatsApp.',
    sent: 'no',
    who: 'fix',
    next: 'Use another file or recipient. Repeating the same gives the same.',
    key: 'same',
  },
  {
    status: 401,
    sign: null,
    meaning: 'No key, a wrong one, or one that was revoked.',
    sent: 'no',
    who: 'fix',
    next: 'Put the right key into one place. A revoked key stays revoked: create another in the dashboard.',
    key: 'same',
  },
  {
    status: 402,
    sign: null,
    meaning: 'API access is not active: no plan, an ended one, or more numbers than it includes.',
    sent: 'no',
    who: 'person',
    next: 'The administrator enables the plan after payment. Then post again.',
    key: 'same',
  },
  {
    status: 404,
    sign: null,
    meaning: 'The key’s number was removed from the account, or there is no such path or message.',
    sent: 'no',
    who: 'fix',
    next: 'Check path and id. Where the number is gone, create a key for another number.',
    key: 'same',
  },
  {
    status: 409,
    sign: 'Retry-After · X-Number-Status: RECONNECTING, SYNCING or BLOCKED',
    meaning:
      'The number is not connected and connects again automatically. With BLOCKED, WhatsApp refuses it until a known time.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait as long as Retry-After says, then post again.',
    key: 'same',
  },
  {
    status: 409,
    sign: 'no Retry-After · X-Number-Status tells which',
    meaning: 'The number is not connected, is held, or the message was cancelled in the dashboard.',
    sent: 'no',
    who: 'person',
    next: 'Somebody opens the number in the dashboard and links or releases it. Then post again.',
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
    next: 'Wait as long as Retry-After says. RateLimit tells beforehand what is left.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: queue',
    meaning: 'So many messages wait on this number that this one would not leave in time.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait as long as Retry-After says, or post with Prefer: respond-async.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: deadline',
    meaning: 'Accepted, but its slot did not come within 40 s.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait as long as Retry-After says, then post again.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: media',
    meaning:
      'Accepted, but so many files of this account wait to be sent that its share of the room for files is full.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait as long as Retry-After says, then post again. Messages without a file leave as usual.',
    key: 'same',
  },
  {
    status: 429,
    sign: 'X-Limit: new-contacts',
    meaning:
      'The number knows nobody at this address, and WhatsApp or the number’s protection allows nobody new right now.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait as long as Retry-After says, then post again. GET /v1/number says why. What only the protection delays can wait with Prefer: respond-async. People whom the number knows can be written to all the time.',
    key: 'same',
  },
  {
    status: 500,
    sign: null,
    meaning: 'A fault of ours.',
    sent: 'perhaps',
    who: 'person',
    next: 'Write to the administrator and quote X-Request-Id. With an Idempotency-Key a repeat is safe.',
    key: 'same',
  },
  {
    status: 502,
    sign: 'X-Send-Outcome: not_sent',
    meaning: 'Sending failed, and nothing left.',
    sent: 'no',
    who: 'repeat',
    next: 'Post again after a minute. When it goes on, somebody looks at the number in the dashboard.',
    key: 'same',
  },
  {
    status: 502,
    sign: 'X-Send-Outcome: unknown',
    meaning: 'WhatsApp has not confirmed the message. It may have arrived.',
    sent: 'perhaps',
    who: 'person',
    next: 'Never repeat it with a new key. GET /v1/messages/{id} settles it when WhatsApp shows it; until then only the phone knows.',
    key: 'same',
  },
  {
    status: 503,
    sign: 'Retry-After',
    meaning: 'The service is being restarted, cannot reach its database, or has no room for a file.',
    sent: 'no',
    who: 'repeat',
    next: 'Wait as long as Retry-After says, then post again.',
    key: 'same',
  },
  {
    status: 'none',
    sign: 'connection lost, or your own time-out',
    meaning: 'The answer never reached you.',
    sent: 'perhaps',
    who: 'repeat',
    next: 'Post exactly the same within 10 minutes: it joins the first message instead of making a second. With an Idempotency-Key it does so for 24 hours.',
    key: 'same',
  },
];

/** The headers of answers, for the table and the document. */
export const ANSWER_HEADERS = {
  'X-Request-Id': 'Names this request in our logs. Quote it when you write to us. On every answer.',
  'X-Message-Id':
    'The message that the answer is about. On every answer given after acceptance, errors included, and on a 400 about an Idempotency-Key that already made a message.',
  'X-Message-Status':
    'The state of the message that `X-Message-Id` names, with a 400 about an Idempotency-Key that belongs to it: a word of GET /v1/messages/{id}.',
  'X-Send-Outcome':
    '`not_sent`: nothing left, for certain. `unknown`: it may have left, and is never sent again automatically.',
  'X-Number-Status': 'The number’s state, with 409: the words of GET /v1/status.',
  'X-Limit':
    'Which limit a 429 is about: `rate` (requests of the account), `queue` (messages that wait on the number), `deadline` (no slot came in time), `media` (files of the account that wait to be sent) or `new-contacts` (people whom the number does not know).',
  'Retry-After': 'Whole seconds after which a repeat can succeed.',
  RateLimit: 'What is left of the account’s limit, `r`, and after how many seconds it is whole again, `t`.',
  'RateLimit-Policy': 'The account’s limit: `q` requests at once, refilled in `w` seconds.',
} as const;
