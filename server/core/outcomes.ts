// Over 300 lines, because it is the one table of all outcomes.
import { accessMessage } from './access.ts';
import type { MessageStatus } from './message-state.ts';
import { contactRefusal } from './new-contacts.ts';
import { refusalSentence, SEND_FAILURES } from './send-failures.ts';

/** One possible outcome of a request or a message. */
interface Outcome {
  /** HTTP status of the REST API. The dashboard's tRPC code follows from it (`server/dashboard/trpc.ts`). */
  status: 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503;
  /** What helps: a retry, a correction of the request, or a person who acts. */
  retry: 'repeat' | 'fix' | 'person';
  /** Whole seconds after which a retry can succeed, if this time is always the same. */
  retryAfterSeconds?: number;
  /** Which limit was reached, as the header X-Limit names it. */
  limit?: string;
  /** The message may have been sent. With all other outcomes it was definitely not. */
  mayBeSent?: true;
  /** Only the dashboard answers with it. */
  dashboardOnly?: true;
  /**
   * The public code of an outcome that only the database names: the reason why a waiting message was cancelled.
   */
  error?: string;
  /** Public sentences. Those about one field, state or person are beside their rule. */
  says?: unknown;
}

const repeat = (status: Outcome['status']) => ({ status, retry: 'repeat' }) as const;
const fix = (status: Outcome['status']) => ({ status, retry: 'fix' }) as const;
const person = (status: Outcome['status']) => ({ status, retry: 'person' }) as const;

/** What a caller of the API reads, and what a page shows. */
const forReaders = (what: string, when: string) => ({
  answer: `${what} Nothing was accepted. Retry the request ${when}.`,
  page: `${what} Nothing was saved. Try again ${when}.`,
});

/** What must be equal in two requests for the second to be a repeat of the first. */
export const SAME_REQUEST = 'endpoint, body, reference and X-Send-At';

const THE_CHAT =
  'at the chat on the phone that sends for this number, not the recipient’s, before you send it again.';
const LOOK_FIRST = `Look ${THE_CHAT}`;
const WAIT_FIRST = `If it is still not confirmed after 2 minutes, look ${THE_CHAT}`;

/**
 * Every outcome of a request or a message: the one table behind REST, the dashboard, alerts and
 * `messages.error_code`. The names are stable, because programs, logs and rows keep them. The advice to callers
 * is in `server/rest/error-guide.ts`.
 */
export const OUTCOMES = {
  unauthorized: {
    ...fix(401),
    says: {
      noKey:
        'No API key was given. Send it as "Authorization: Bearer <key>" or as the header x-api-key. "token" in the body is read only from a valid JSON object that is sent with "Content-Type: application/json".',
      differentKeys: 'Two different API keys were given. Send one key, in one place.',
      invalidKey:
        'The API key is not valid. Create one in the dashboard under API, and send it as "Authorization: Bearer <key>", as the header x-api-key or as "token" in the JSON body.',
      endedKey: 'This API key was revoked or has expired. Create a new one in the dashboard under API.',
      signedOut: 'You are signed out. Sign in again.',
    },
  },
  /** Signed in, but not allowed to do this. */
  forbidden: {
    ...person(403),
    dashboardOnly: true,
    says: {
      ownersOnly: 'Only an owner of this account can do this. Ask an owner.',
      otherSite: 'This request did not come from a page of this dashboard.',
    },
  },
  /** The password is right; a code is missing, or wrong. */
  second_factor: { ...fix(403), dashboardOnly: true },
  /** Signed in, but too long ago for this. */
  confirm_password: { ...person(403), dashboardOnly: true },
  rate_limited: {
    ...repeat(429),
    limit: 'rate',
    says: {
      account: (retryAfterSeconds: number, perMinute: number) =>
        `Too many requests: the limit for this account is ${perMinute} a minute. Nothing was accepted. Retry in ${retryAfterSeconds} s.`,
      changes: (retryAfterSeconds: number) =>
        `Too many changes in a short time. Nothing was changed. Try again in ${retryAfterSeconds} s.`,
      badKeys: 'Too many requests with a wrong API key came from this address. Fix the key, then wait.',
      busy: forReaders('The service received too many requests at once.', 'shortly'),
    },
  },
  plan_inactive: { ...person(402), says: accessMessage },
  /** The key's number was removed. */
  instance_not_found: {
    ...fix(404),
    says: 'The number of this API key was removed from the account. Create a key for another number.',
  },
  not_found: fix(404),
  invalid_parameters: fix(400),
  idempotency_key_reused: {
    ...fix(400),
    mayBeSent: true,
    says: (id: string, status: MessageStatus) =>
      `Nothing was sent for this request. Its Idempotency-Key was already used for an earlier, different message (${id}, status ${status}). X-Message-Id and X-Message-Status are about that earlier message. For a new message, use a new key. To retry the earlier one, repeat its request unchanged: same ${SAME_REQUEST}. Keep values that change between retries, such as a timestamp, out of the body.`,
  },
  body_too_large: {
    ...fix(413),
    says: (bytesMax: number) => `The body is larger than ${bytesMax / 1024} KiB.`,
  },
  already_exists: { ...fix(409), dashboardOnly: true },
  /** Worded in `number-status-errors.ts` by the number's state. A retry helps if `retryAfterSeconds` is given. */
  not_connected: {
    ...person(409),
    says: { suspended: 'This message was not sent: the administrator suspended its number.' },
  },
  /** No slot before the deadline, or too many async messages. */
  queue_full: {
    ...repeat(429),
    limit: 'queue',
    says: {
      slotTooFar: (interval: string, waitSeconds: number, windowSeconds: number) =>
        `This number sends one message every ${interval} s, and its next free slot is in ${waitSeconds} s. This message may wait for ${windowSeconds} s at most. Nothing was sent. Retry later, or send with "Prefer: respond-async".`,
      async: (waiting: number) =>
        `${waiting} messages are already waiting on this number, which is the maximum. Nothing was accepted. Retry the request later.`,
      keptBack: (waiting: number) =>
        `${waiting} messages to new people are already waiting on this number, which is the maximum. Nothing was accepted. Retry the request later. Messages to known people are still accepted.`,
      scheduled: (scheduled: number) =>
        `${scheduled} messages are already scheduled on this number, which is the maximum. Nothing was accepted. Cancel some first, or retry later.`,
      atOnce: (retryAfterSeconds: number) =>
        `Too many requests for this number at the same time. Nothing was accepted. Retry this one in ${retryAfterSeconds} s.`,
    },
  },
  /** The recipient is new, and WhatsApp or the number's protection allows no new people. */
  new_contacts: {
    ...repeat(429),
    limit: 'new-contacts',
    says: {
      limit: contactRefusal,
      lookUps:
        'WhatsApp does not let this number contact new people right now. Nothing was sent. Retry the request later. Known people can still be contacted.',
    },
  },
  /** Too many phone numbers were looked up for one number in a day, which is itself a reason for a ban. */
  check_limit: {
    ...repeat(429),
    limit: 'checks',
    says: (limit: number, left: number) =>
      `This number can look up at most ${limit} phone numbers in 24 hours, which protects it from a ban. ${left} are left. Nothing was looked up. Phone numbers whose result is stored do not count.`,
  },
  /** Accepted, but its slot did not come in time. */
  deadline_passed: {
    ...repeat(429),
    retryAfterSeconds: 5,
    limit: 'deadline',
    says: {
      sync: (seconds: number) =>
        `The number had no free slot within ${seconds} s, so the message was not sent.`,
      async: 'The number had no free slot before the deadline, so the message was not sent.',
      moved:
        'The service was moved to another machine before this message was sent. Nothing was sent. Send it again if it still matters.',
      restored:
        'The service was restored from a backup before this message was sent. Nothing was sent. Send it again if it still matters.',
    },
  },
  // Files: worded in `file-problem.ts`.
  media_too_large: fix(413),
  /** The file or its address is wrong: a retry fails again. */
  media_unusable: fix(400),
  /** The file's server may succeed later. */
  media_unavailable: { ...repeat(400), retryAfterSeconds: 60 },
  media_share_full: { ...repeat(429), retryAfterSeconds: 60, limit: 'media' },
  /** The service's disk is short of room for files. */
  no_room: { ...repeat(503), retryAfterSeconds: 60 },
  recipient_unknown: {
    ...fix(400),
    says: {
      person: 'The recipient is not on WhatsApp. Nothing was sent. Check the number, then send again.',
      group:
        'This number is not in that group, or the group does not exist. Nothing was sent. Add the number to the group on a phone, or check the group’s ID in the dashboard, then send again.',
    },
  },
  /** Certain: nothing was sent. */
  send_failed: {
    ...repeat(502),
    says: {
      ...SEND_FAILURES,
      refused: refusalSentence,
      notStored: 'The file could not be stored. Nothing was sent. You can retry.',
      noReason: 'The message was not sent.',
    },
  },
  send_unknown: {
    ...person(502),
    mayBeSent: true,
    says: {
      answer: (id: string) =>
        `WhatsApp has not confirmed this message, so it may have arrived. GET /v1/messages/${id} shows its outcome if WhatsApp confirms it later. If it is still unknown after 2 minutes, or 2 minutes after a disconnected number reconnects, look at the chat on the phone that sends for this number, not the recipient’s. Only if the message is not there, send it with a new Idempotency-Key, or press Send again in the dashboard. For 24 hours, repeating the request with the same Idempotency-Key is safe, but sends nothing while its outcome is unknown. After 24 hours, the same key sends a new message.`,
      missing: `This message is no longer stored: it was deleted, or the database lost it when it moved to another server. WhatsApp has not confirmed it, so it may have arrived. A repeat of the request sends a new message, also with the same Idempotency-Key. ${LOOK_FIRST}`,
      unconfirmed: `WhatsApp has not confirmed this message. It may have arrived. ${WAIT_FIRST}`,
      lost: `The connection was lost while this message was being sent. It may have arrived. ${WAIT_FIRST}`,
      restoredWaiting: `The service was restored from a backup that was made while this message waited. It may have been sent since. ${LOOK_FIRST}`,
      restoredScheduled:
        'This message was scheduled when the service was restored from a backup. This installation does not send it. If the earlier installation runs at the scheduled time, it sends the message. Send it again only if that installation was switched off for good before that time. Otherwise look at the chat on the phone that sends for this number, not the recipient’s, first.',
      movedSending: `The service was moved to another machine while this message was being sent. It may have arrived. ${LOOK_FIRST}`,
      restoredSending: `The service was restored from a backup that was made while this message was being sent. It may have arrived. ${LOOK_FIRST}`,
    },
  },
  /** The caller hung up, so nobody reads this answer. Its message still waits. */
  hung_up: {
    ...person(409),
    mayBeSent: true,
    says: 'Your client closed the connection before the response. This did not cancel its message.',
  },
  /** The caller wants to cancel a message that no longer waits: perhaps because it was sent. */
  not_cancellable: {
    ...fix(409),
    mayBeSent: true,
    says: (status: MessageStatus) =>
      `Only a message that still waits can be cancelled. This one is ${status}, and nothing was changed.`,
  },
  stopping: {
    ...repeat(503),
    retryAfterSeconds: 5,
    says: 'The service is being restarted and this message was not sent. Retry the request shortly.',
  },
  unavailable: {
    ...repeat(503),
    retryAfterSeconds: 5,
    says: {
      database: forReaders('The service cannot reach its database right now.', 'shortly'),
      databaseBusy: forReaders('The service’s database is busy with other changes.', 'shortly'),
      openFiles: forReaders('The service has too many open files and connections.', 'shortly'),
      databaseFull: forReaders('The service’s database is full.', 'later'),
    },
  },
  /** A bug or an unforeseen failure: the sentence never gives details. */
  internal: {
    ...person(500),
    mayBeSent: true,
    says: {
      answer:
        'Something went wrong on our side. If you were sending a message, it may have been sent: repeat the request only with the same Idempotency-Key. Quote the X-Request-Id when you contact us.',
      page: 'Something went wrong on our side. Reload the page to see what was saved. If you were sending a message, look for it under Messages before you send it again.',
    },
  },

  // Why a waiting message was cancelled, besides `not_connected` and `stopping`.
  key_revoked: {
    ...fix(401),
    error: 'unauthorized',
    says: 'This message was not sent: its API key was revoked. To send it, use another key.',
  },
  plan_ended: {
    ...person(402),
    error: 'plan_inactive',
    says: {
      ended:
        'Not sent, because the plan had ended. It is not sent automatically. Send it again if it still matters.',
      excess:
        'This message was not sent: the plan no longer includes this number. In the dashboard, choose which numbers stay active, or extend the plan. Then send it again.',
    },
  },
  suspended: {
    ...person(402),
    error: 'plan_inactive',
    says: 'This message was not sent: the account was suspended. Ask the administrator to resume it.',
  },
  removed: {
    ...fix(404),
    error: 'instance_not_found',
    says: {
      number: 'This message was not sent: its number was removed from the account.',
      account: 'This message was not sent: the account was deleted.',
    },
  },
  unlinked: {
    ...person(409),
    error: 'not_connected',
    says: {
      unlinked: 'This message was not sent: its number was unlinked. Link the number, then send it again.',
      replaced: (label: string) =>
        `This message was not sent, because you changed the phone number of ${label || 'the number that it was to be sent from'}. Send it again from the new phone number if it still matters.`,
    },
  },
  cancelled_by_caller: {
    ...person(409),
    error: 'not_connected',
    says: 'Cancelled through the API while it waited. It was not sent.',
  },
  cancelled_by_person: {
    ...person(409),
    error: 'not_connected',
    says: {
      inQueue: 'Cancelled in the dashboard while it waited. It was not sent.',
      setAside: 'Discarded in the dashboard. It was not sent.',
    },
  },
} as const satisfies Record<string, Outcome>;

/** The refusal of a request before it is known whose it is, or by a page's server: no message, no row of the request log. */
export interface Refusal {
  /** HTTP status. */
  status: number;
  /** The public code, where a caller of the API may have sent the request. */
  error?: OutcomeCode;
  /** Whole seconds after which a retry can succeed. */
  retryAfterSeconds?: number;
  says: string;
}

const atOnce = (who: string) => ({
  status: 429,
  retryAfterSeconds: 2,
  says: `Too many requests ${who} at once. Wait a moment, then load the page again.`,
});
const invalid = { error: 'invalid_parameters' } as const;

/** Every {@link Refusal}. */
export const REFUSALS = {
  malformed: {
    ...{ status: 400, ...invalid },
    says: 'This is not a valid HTTP/1.1 request. Check the request line and the headers.',
  },
  noHost: { status: 400, ...invalid, says: 'The Host header is missing. An HTTP/1.1 request needs it.' },
  manyHosts: { status: 400, ...invalid, says: 'The Host header was sent more than once. Send it once.' },
  notJson: { status: 400, says: 'What was sent is not JSON.' },
  otherSite: { status: OUTCOMES.forbidden.status, says: OUTCOMES.forbidden.says.otherSite },
  noRoute: { status: 404, says: 'There is nothing at this address.' },
  notTaken: (method: string) => ({
    status: 404,
    error: 'not_found' as const,
    says: `No page takes ${method}. The addresses of the API begin with /v1, such as /v1/messages/text.`,
  }),
  slow: { status: 408, ...invalid, says: 'The request did not arrive in time. Send it in one go.' },
  large: (bytesMax: number) => ({
    status: OUTCOMES.body_too_large.status,
    says: OUTCOMES.body_too_large.says(bytesMax),
  }),
  longAddress: (charsMax: number) => ({
    status: 414,
    says: `The address is longer than ${charsMax} characters.`,
  }),
  noJsonType: { status: 415, says: 'Send JSON.' },
  unknownExpect: {
    ...{ status: 417, ...invalid },
    says: 'The only Expect header that this server knows is “100-continue”. Send the request without the header.',
  },
  foreignHost: {
    status: 421,
    says: 'Wirebird does not accept requests for this host name. Open its usual address, or ask the administrator to add the name to ALLOWED_HOSTS.',
  },
  addressAtOnce: atOnce('from this address'),
  accountAtOnce: atOnce('of this account'),
  sessionAtOnce: atOnce('of this browser'),
  longHeaders: {
    ...{ status: 431, ...invalid },
    says: 'The headers are longer than 16 KiB. Send fewer or shorter ones.',
  },
  pagesBusy: {
    ...{ status: 503, retryAfterSeconds: 5 },
    says: 'The dashboard is busy. Wait a moment, then load the page again.',
  },
} as const satisfies Record<string, Refusal | ((given: never) => Refusal)>;

type Outcomes = typeof OUTCOMES;
export type OutcomeCode = keyof Outcomes;
/** What programs read. */
export type ErrorCode = {
  [Code in OutcomeCode]: Outcomes[Code] extends { error: string } ? never : Code;
}[OutcomeCode];
/** Why a waiting message was cancelled. */
export type CancelCode = Exclude<OutcomeCode, ErrorCode> | 'not_connected';

const ROWS: Readonly<Record<OutcomeCode, Outcome & { error?: ErrorCode }>> = OUTCOMES;

/** The codes of the API: `X-Error-Code`, `errorCode` of messages and of events. */
export const API_ERROR_CODES = (Object.keys(ROWS) as OutcomeCode[]).filter(
  (code) => !ROWS[code].dashboardOnly,
);

/** Codes of refused requests: no message is stored with them. */
const OF_REQUESTS: readonly OutcomeCode[] = [
  ...([
    'unauthorized',
    'forbidden',
    'rate_limited',
    'instance_not_found',
    'not_found',
    'already_exists',
  ] as const),
  ...(['idempotency_key_reused', 'body_too_large', 'queue_full', 'check_limit', 'not_cancellable'] as const),
  ...(['unavailable', 'internal'] as const),
];

/** The codes that a stored message can have. */
export const MESSAGE_ERROR_CODES = API_ERROR_CODES.filter((code) => !OF_REQUESTS.includes(code));

export function outcomeOf(code: OutcomeCode): Outcome {
  return ROWS[code];
}

/** The public code of an outcome: its own, or the more general one. */
export function errorCodeOf(code: OutcomeCode): ErrorCode {
  return ROWS[code].error ?? (code as ErrorCode);
}

/** The outcome that `messages.error_code` names; `send_failed` for one that another version wrote. */
export function parseOutcomeCode(stored: string): OutcomeCode {
  return Object.hasOwn(OUTCOMES, stored) ? (stored as OutcomeCode) : 'send_failed';
}
