import { Webhook } from 'standardwebhooks';
import { storableStart } from '#server/core/storable.ts';
import { neverConnected, type PostAnswer } from '#server/platform/media/guarded-client.ts';
import { unseal } from '#server/platform/seal.ts';
import type { Attempted, Claimed } from '#server/webhooks/queries/deliveries.ts';

/** How many characters of an answer the log keeps. */
const ANSWER_CHARS_KEPT = 4096;

/** Signs requests as Standard Webhooks describes. Keeps decrypted secrets, so each delivery run has its own. */
export class Signer {
  readonly #opened = new Map<string, Webhook>();

  /** The headers of a request. While a secret is being rotated there are two signatures. */
  headersOf(claimed: Claimed, body: string, at: Date): Record<string, string> {
    const { eventId, secret, previousSecret } = claimed;
    const secrets = [secret, ...(previousSecret === null ? [] : [previousSecret])];
    const signatures = secrets.map((sealed) => this.#open(sealed, claimed).sign(eventId, at, body));
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Wirebird/1.0 (webhooks)',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
  }

  #open(sealed: string, { endpointId: owner }: Claimed): Webhook {
    const opened = this.#opened.get(sealed) ?? new Webhook(unseal(sealed, { use: 'webhook secret', owner }));
    this.#opened.set(sealed, opened);
    return opened;
  }
}

type Judged = Pick<Attempted, 'status' | 'answer' | 'error'>;

/** What an answer, or the lack of one, means. Any status from 200 to 299 is a success. */
export function judge(outcome: { answer: PostAnswer } | { failure: unknown }): Judged {
  if ('failure' in outcome) return { status: null, answer: null, error: failureOf(outcome.failure) };
  const { status, body } = outcome.answer;
  return { status, answer: storableStart(body, ANSWER_CHARS_KEPT), error: refusalOf(status) };
}

function refusalOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'The endpoint returned 410: it wants no more events.';
  if (status >= 300 && status < 400)
    return `The endpoint returned ${status}. Redirects are not followed: give the address that they lead to.`;
  return `The endpoint returned ${status}. Any status from 200 to 299 accepts the event.`;
}

function failureOf(failure: unknown): string {
  if (neverConnected(failure))
    return 'The endpoint could not be reached. Check that its host name exists, is public, accepts connections and, with https, has a valid certificate.';
  const timedOut = failure instanceof Error && failure.name === 'TimeoutError';
  return timedOut
    ? 'The endpoint did not answer within 10 seconds.'
    : 'The connection to the endpoint broke before its answer was complete.';
}
