import { Webhook } from 'standardwebhooks';
import { storableStart } from '#server/core/storable.ts';
import { retryAfterMs } from '#server/core/webhooks/backoff.ts';
import { log } from '#server/platform/log.ts';
import { type PostAnswer, type PostFailure, postFailureOf } from '#server/platform/media/guarded-client.ts';
import { unseal } from '#server/platform/seal.ts';
import type { Attempted, Claimed } from '#server/webhooks/queries/deliveries.ts';

/** How many characters of an answer the log keeps. */
const ANSWER_CHARS_KEPT = 4096;

/** Signs requests as Standard Webhooks describes. Keeps decrypted secrets, so each delivery run has its own. */
export class Signer {
  /** Null for one that cannot be decrypted. */
  readonly #opened = new Map<string, Webhook | null>();

  /**
   * The headers of a request, with a signature for each secret that is still valid. Null if it cannot be signed with
   * the newest one: that is the only one that its receiver is sure to accept for long.
   */
  headersOf(claimed: Claimed, body: string, at: Date): Record<string, string> | null {
    const { eventId, secret, previousSecrets } = claimed;
    const [newest, ...before] = [secret, ...previousSecrets].map((sealed) => this.#open(sealed, claimed));
    if (!newest) return null;
    const signatures = [newest, ...before].flatMap((opened) => opened?.sign(eventId, at, body) ?? []);
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Wirebird/1.0 (webhooks)',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
  }

  #open(sealed: string, { endpointId: owner }: Claimed): Webhook | null {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const opened = open(sealed, owner);
    this.#opened.set(sealed, opened);
    return opened;
  }
}

function open(sealed: string, owner: string): Webhook | null {
  try {
    return new Webhook(unseal(sealed, { use: 'webhook secret', owner }));
  } catch (error) {
    log.error({ err: error, endpointId: owner }, 'a webhook secret cannot be decrypted; check DATA_KEY');
    return null;
  }
}

type Judged = Pick<Attempted, 'status' | 'answer' | 'error'> & {
  /** How long the endpoint asks to wait; null if it does not. */
  waitMs: number | null;
};

/** The statuses whose `Retry-After` counts. */
const BUSY = [429, 503];

/** Why nothing was posted: there is no key to sign it with. */
export const UNSIGNED: Judged = {
  status: null,
  answer: null,
  waitMs: null,
  error:
    'Nothing was sent: the signing secret of the endpoint cannot be read. Rotate the secret, and give your server the new one.',
};

/** What an answer, or the lack of one, means. Any status from 200 to 299 is a success. */
export function judge(outcome: { answer: PostAnswer } | { failure: unknown }): Judged {
  if ('failure' in outcome)
    return { status: null, answer: null, waitMs: null, error: FAILURES[postFailureOf(outcome.failure)] };
  const { status, body, retryAfter } = outcome.answer;
  const waitMs = retryAfter && BUSY.includes(status) ? retryAfterMs(retryAfter, Date.now()) : null;
  return { status, answer: storableStart(body, ANSWER_CHARS_KEPT), error: refusalOf(status), waitMs };
}

function refusalOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'The endpoint returned 410, which switches it off.';
  if (status >= 300 && status < 400)
    return `The endpoint returned ${status}. Redirects are not followed: give the address that they lead to.`;
  return `The endpoint returned ${status}. Any status from 200 to 299 accepts the event.`;
}

const FAILURES: Record<PostFailure, string> = {
  forbidden:
    'The URL of the endpoint is not permitted: its address is not public, or its port is not allowed. Change the URL, or ask the administrator to allow it.',
  unreachable:
    'The endpoint could not be reached. Check that its host name exists, is public and accepts connections.',
  'expired certificate': 'The certificate of the endpoint has expired. Renew it.',
  'certificate of another name':
    'The certificate of the endpoint is for another host name. Install one for the name in the URL.',
  'untrusted certificate':
    'The certificate of the endpoint is not trusted. Use one from a public authority, and let your server send the intermediate certificates too.',
  'no https': 'The endpoint does not use https on this port. Check the port in the URL, and your server.',
  'too slow':
    'The endpoint did not complete a response within 10 seconds. Check that your firewall lets requests in, and respond before you do slow work.',
  'long headers': 'The headers of the response are longer than 16 KB. Send fewer of them.',
  'no http': 'The response is not valid HTTP. Check what listens on the port in the URL.',
  broken:
    'The connection broke before the response was complete. The endpoint may have received the event. Look at the log of your server.',
};
