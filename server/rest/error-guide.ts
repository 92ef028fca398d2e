import {
  API_ERROR_CODES,
  type ErrorCode,
  errorCodeOf,
  type OutcomeCode,
  outcomeOf,
  SAME_REQUEST,
} from '#server/core/outcomes.ts';
import { ANSWER_WITHIN_MS } from '#server/core/pacing/waits.ts';

/** What a caller should do after each answer: the table at `/docs`. */
export interface Advice {
  status: number | 'none';
  /** The headers that distinguish this case from others of the same status; null if there are none. */
  sign: string | null;
  meaning: string;
  /** The values of `X-Error-Code`; empty for an answer that is no error. */
  codes: readonly OutcomeCode[];
  /** Whether the message was sent, as far as the answer shows. */
  sent: 'yes' | 'waits' | 'no' | 'perhaps';
  /** Who must act: no one, the program by asking for the outcome or by a retry, the programmer, or a person. */
  who: 'nobody' | 'ask' | 'repeat' | 'fix' | 'person';
  /** What to do. */
  next: string;
  /** The `Idempotency-Key` of the retry. `ask`: the same one only asks, and a new one sends. */
  key: 'same' | 'new' | 'ask' | 'none';
}

type Row = { sign?: string; meaning: string; next: string; key?: Advice['key'] } & (
  | {
      codes: readonly [ErrorCode, ...ErrorCode[]];
      who?: Advice['who'];
      /** The outcomes of these codes that the row is about, if not about all. */
      only?: readonly [OutcomeCode, ...OutcomeCode[]];
    }
  | Pick<Advice, 'status' | 'sent' | 'who'>
);

/** Also shown on the page of a request whose client disconnected. */
export const CLIENT_TIMEOUT = `Set your client’s timeout to at least 60 seconds: a response can take ${ANSWER_WITHIN_MS / 1000} seconds.`;

/** The other way for a client that cannot wait. */
export const OR_ASYNC =
  'Or send Prefer: respond-async: the response comes immediately, and the message is sent when its turn comes.';

/** Each error with its codes, whose status and kind of retry are in `server/core/outcomes.ts`. */
export const GUIDE_ROWS: readonly Row[] = [
  {
    status: 200,
    sent: 'yes',
    who: 'nobody',
    meaning: 'WhatsApp’s server has the message.',
    next: 'Done. GET /v1/messages/{id} shows later whether it was delivered and read.',
  },
  {
    status: 202,
    sent: 'waits',
    who: 'ask',
    meaning:
      'Accepted, but not confirmed as sent yet. Only with Prefer (respond-async or wait=N) or X-Send-At.',
    next: 'Get the outcome from GET /v1/messages/{id}. Do not post it again.',
  },
  {
    codes: ['invalid_parameters'],
    sign: 'no X-Message-Id',
    meaning: 'The request is invalid. The error names the field.',
    next: 'Fix the field, then repeat the request.',
  },
  {
    codes: ['idempotency_key_reused'],
    sign: 'X-Message-Status',
    key: 'new',
    meaning:
      'Nothing was sent for this request, and it made no message. Its Idempotency-Key was already used for an earlier, different message: X-Message-Id and X-Message-Status are about that earlier message.',
    next: `For a new message, use a new Idempotency-Key. To retry the earlier one, repeat its request unchanged: same ${SAME_REQUEST}. Keep values that change between retries, such as a timestamp, out of the body.`,
  },
  {
    codes: ['media_unavailable'],
    sign: 'Retry-After · X-Message-Id · X-Send-Outcome: not_sent',
    meaning:
      'Accepted, but the file’s server is unreachable or slow, sent an incomplete file, or returned a temporary error (5xx, 408, 425, 429).',
    next: 'Wait for Retry-After, then repeat the request. If it keeps failing, check the URL and the file’s server.',
  },
  {
    codes: ['media_unusable', 'recipient_unknown'],
    sign: 'no Retry-After · X-Message-Id · X-Send-Outcome: not_sent',
    meaning: 'Accepted, but the file cannot be used, or the recipient is not on WhatsApp.',
    next: 'Use another file or recipient. A retry gives the same result.',
  },
  {
    codes: ['unauthorized'],
    meaning: 'The key is missing, wrong, revoked or expired.',
    next: 'Check the key. If it was revoked, create a new one in the dashboard.',
  },
  {
    codes: ['plan_inactive'],
    meaning:
      'API access is not active: no plan, an ended plan, more numbers than the plan includes, or a suspended account.',
    next: 'Do what the error says: the administrator enables the plan after payment, or resumes the account. Then repeat the request.',
  },
  {
    codes: ['instance_not_found', 'not_found'],
    meaning: 'The key’s number was removed from the account, or the path or message does not exist.',
    next: 'Check the path and the ID. If the number was removed, create a key for another number.',
  },
  {
    codes: ['not_connected'],
    only: ['not_connected'],
    sign: 'Retry-After · X-Number-Status: RECONNECTING, SYNCING or BLOCKED',
    who: 'repeat',
    meaning:
      'Temporary, with Retry-After: the number is not connected and reconnects automatically. With BLOCKED, WhatsApp has blocked it for a limited time.',
    next: 'Wait for Retry-After, then repeat the request.',
  },
  {
    codes: ['not_connected'],
    only: ['not_connected', 'unlinked'],
    sign: 'no Retry-After · X-Number-Status: any other state',
    meaning:
      'Needs a person, without Retry-After: the number is not connected, on hold or suspended, or it was unlinked while the message waited.',
    next: 'Open the number in the dashboard and link or release it. Only the administrator can resume a suspended one. Then repeat the request.',
  },
  {
    codes: ['not_connected'],
    only: ['cancelled_by_caller', 'cancelled_by_person'],
    sign: 'X-Error-Code: cancelled_by_caller or cancelled_by_person',
    meaning: 'The message was cancelled while it waited, through the API or in the dashboard.',
    next: 'Ask who cancelled it. Send it again only if it should be sent after all.',
  },
  {
    codes: ['hung_up'],
    who: 'repeat',
    sign: 'X-Error-Code: hung_up, in the request log only',
    meaning:
      'Your client closed the connection before the response. This did not cancel its message: if it is waiting for its turn, it keeps its place.',
    next: `Do not send it as a new message. Repeat exactly the same request, with the same Idempotency-Key if you sent one. If the first message is waiting or was sent, the response is about that one. Without a key this works for 10 minutes after the first message was accepted. ${CLIENT_TIMEOUT} ${OR_ASYNC}`,
  },
  {
    codes: ['not_cancellable'],
    key: 'none',
    who: 'nobody',
    sign: 'X-Error-Code: not_cancellable · X-Message-Status',
    meaning: 'The message was already sent or has ended. Nothing was changed.',
    next: 'It can no longer be cancelled. X-Message-Status shows its state.',
  },
  {
    codes: ['body_too_large', 'media_too_large'],
    meaning: 'The file is over 16 MB, or the JSON over 256 KiB.',
    next: 'Make it smaller, then repeat the request.',
  },
  {
    codes: ['rate_limited'],
    sign: 'X-Limit: rate',
    meaning: 'Too many requests from this account, or too many wrong keys from this address.',
    next: 'Wait for Retry-After. The RateLimit header shows what is left before you reach the limit.',
  },
  {
    codes: ['queue_full'],
    sign: 'X-Limit: queue',
    meaning: 'Too many messages are waiting on this number, so this one could not be sent in time.',
    next: 'Wait for Retry-After, or post with Prefer: respond-async.',
  },
  {
    codes: ['deadline_passed'],
    sign: 'X-Limit: deadline',
    meaning:
      'Accepted, but its turn did not come before its deadline (X-Expires-In; at most 40 s for a sync request). It was not sent.',
    next: 'Wait for Retry-After, then repeat the request.',
  },
  {
    codes: ['media_share_full'],
    sign: 'X-Limit: media',
    meaning: 'Accepted, but the files of this account that wait to be sent have reached their limit.',
    next: 'Wait for Retry-After, then repeat the request. Messages without a file are sent as usual.',
  },
  {
    codes: ['new_contacts'],
    sign: 'X-Limit: new-contacts',
    meaning:
      'The recipient is new to this number, and WhatsApp or the number’s protection allows no new people right now.',
    next: 'Wait for Retry-After, then repeat the request. GET /v1/number shows the reason. With Prefer: respond-async, messages that only the protection delays can wait. Messages to known people are not affected.',
  },
  {
    codes: ['check_limit'],
    sign: 'X-Limit: checks',
    meaning: 'POST /v1/recipients/check would look up more phone numbers than the number may in 24 hours.',
    next: 'Wait for Retry-After, or check fewer phone numbers. A send always finds out whether its recipient is on WhatsApp.',
  },
  {
    codes: ['internal'],
    meaning: 'An error on our side.',
    next: 'The message may have been sent. If your request had an Idempotency-Key, repeat it with the same key: that is safe. If it had none, look for the message with GET /v1/messages before you send it again. Quote X-Request-Id when you contact the administrator.',
  },
  {
    codes: ['send_failed'],
    // Many of its causes remain until a person acts, so no program repeats it automatically.
    who: 'person',
    sign: 'X-Send-Outcome: not_sent',
    meaning: 'Sending failed. The message was definitely not sent.',
    next: 'Do what the error says, once: repeat the request, or press Send again in the dashboard, but not both. The same Idempotency-Key works, even with a changed body: because nothing was sent, it never sends twice. The repeat makes a new message, with its own ID. If it fails again, do not repeat it in a loop: the number’s page in the dashboard may show what is wrong.',
  },
  {
    codes: ['send_unknown'],
    sign: 'X-Send-Outcome: unknown',
    meaning: 'WhatsApp has not confirmed the message. It may have arrived.',
    key: 'ask',
    next: 'GET /v1/messages/{id} shows the outcome if WhatsApp confirms it later. If it is still unknown after 2 minutes, or 2 minutes after a disconnected number reconnects, look at the chat on the phone that sends for this number, not the recipient’s. Only if the message is not there, send it with a new Idempotency-Key, or press Send again in the dashboard. For 24 hours, repeating with the same Idempotency-Key is safe, but sends nothing while the outcome is unknown: it returns what is known. After 24 hours, the same key sends a new message. Without a key, do not repeat.',
  },
  {
    codes: ['stopping', 'unavailable', 'no_room'],
    sign: 'Retry-After',
    meaning: 'The service is being restarted, cannot reach its database, or has no room for a file.',
    next: 'Wait for Retry-After, then repeat the request.',
  },
  {
    status: 'none',
    sign: 'connection lost, or your own timeout',
    sent: 'perhaps',
    who: 'repeat',
    meaning: 'The response never reached you.',
    next: 'With an Idempotency-Key: repeat exactly the same request, with the same key, within 24 hours. If the first message is waiting, was sent or may have been sent, the response is about that one, and no second one is sent. Without a key this works for 10 minutes after the first message was accepted, and only if your client disconnected before the response was written. If you are not sure, look for the message with GET /v1/messages first.',
  },
];

export const ERROR_GUIDE: readonly Advice[] = GUIDE_ROWS.map((row) => {
  const { sign = null, meaning, next } = row;
  const { status, sent, who } = 'codes' in row ? { ...adviceOn(row.codes[0]), ...row } : row;
  const key = row.key ?? (sent === 'yes' || sent === 'waits' ? 'none' : 'same');
  return { status, sign, meaning, codes: 'codes' in row ? codesOf(row) : [], sent, who, next, key };
});

/** The codes themselves, and the outcomes of messages that are cases of them. */
function codesOf({ codes, only }: Extract<Row, { codes: unknown }>): OutcomeCode[] {
  return API_ERROR_CODES.filter((code) => only?.includes(code) ?? codes.includes(errorCodeOf(code)));
}

function adviceOn(code: ErrorCode): Pick<Advice, 'status' | 'sent' | 'who'> {
  const { status, mayBeSent, retry } = outcomeOf(code);
  return { status, sent: mayBeSent ? 'perhaps' : 'no', who: retry };
}

/** The headers of answers, for the table and the document. */
export const ANSWER_HEADERS = {
  'X-Request-Id': 'Identifies this request in our logs. Include it when you contact us. On every response.',
  'X-Error-Code':
    'What went wrong, as a code. On every error. In programs, use this code, never the error text: it may change.',
  'X-Message-Id':
    'The message that the response is about. On every response given after acceptance, errors included. On a 400 with `idempotency_key_reused`, it names the earlier message of that key: this request made none.',
  'Idempotency-Replayed':
    '`true`: this request sent nothing new. The response is about the message of an earlier request with the same Idempotency-Key, or of an equal request whose client had disconnected. With `X-Dry-Run`: the real request would do so. Missing on every other response.',
  'X-Message-Status':
    'The state of the message in `X-Message-Id`, as in GET /v1/messages/{id}. On a 400 with `idempotency_key_reused`, where that is the earlier message, and on a 409 with `not_cancellable`.',
  'X-Send-Outcome':
    '`not_sent`: definitely not sent. Also on each request to send that is refused before acceptance. It is missing there if an earlier request with the same Idempotency-Key made a message that was sent or may be sent, or if this is not known. `unknown`: it may have been sent, and is never sent again automatically.',
  'X-Estimated-Send-At':
    'With 202 and `X-Send-At`: an estimate of when the message will be sent, at the number’s interval and after those scheduled before it. Missing if there is no estimate.',
  'X-Estimated-Wait': 'With `X-Dry-Run`: an estimate of how many seconds the message would wait.',
  'X-Waited':
    'How many whole seconds the message waited for its turn. On a 200 with `Idempotency-Replayed`: if this is longer than your client’s timeout, your earlier request timed out because its message waited. It was not lost. Use a longer timeout or `Prefer: respond-async`.',
  'X-Number-Status': 'On a 409: the number’s state, as in GET /v1/status.',
  'X-Limit':
    'Which limit a 429 is about: `rate` (requests of the account), `queue` (messages that wait on the number), `deadline` (no slot came in time), `media` (files of the account that wait to be sent), `new-contacts` (people who are new to the number) or `checks` (phone numbers that it looks up in a day).',
  'Retry-After': 'Whole seconds after which a retry can succeed.',
  RateLimit: '`r`: requests left in the account’s limit. `t`: seconds until all are available again.',
  'RateLimit-Policy': 'The account’s limit: `q` requests at once, refilled in `w` seconds.',
} as const;
