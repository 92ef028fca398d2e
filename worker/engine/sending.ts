import type { Outgoing } from '#server/core/engine.ts';
import { isMedia } from '#server/core/message.ts';
import { isGroup } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Log } from '#server/platform/log.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { Groups } from './groups.ts';
import type { Client, Submission } from './library.ts';
import type { Outbox } from './outbox.ts';
import type { PageGate } from './page-gate.ts';
import type { Readiness } from './readiness.ts';
import type { EngineTimes } from './times.ts';

interface SendingOptions {
  times: EngineTimes;
  log: Log;
  gate: PageGate;
  readiness: Readiness;
  connection: ConnectionWatch;
  groups: Groups;
  outbox: Outbox;
  client(): Client | null;
  compose(message: Outgoing): Promise<Submission>;
}

/** Hands messages to the library once the page has passed its self-test and is connected. */
export class Sending {
  readonly #o: SendingOptions;

  constructor(options: SendingOptions) {
    this.#o = options;
  }

  /** Resolves when the page has accepted the message; rejects with {@link SendError}. */
  async send(message: Outgoing): Promise<void> {
    const { gate, readiness, connection, groups, outbox, times, compose } = this.#o;
    const client = this.#o.client();
    if (!(await gate.check()) || !client || !readiness.proven)
      throw new SendError(true, 'page', 'the session is not ready');
    if (!connection.up) throw new SendError(true, 'page', 'WhatsApp Web is not connected');
    if (isGroup(message.recipient)) await groups.requireMembership(message.recipient);
    const submission = await compose(message).catch((error: Error) => {
      throw new SendError(true, 'media', error.message, { cause: error });
    });
    const limitMs = isMedia(message.content) ? times.sendMediaMs : times.sendMs;
    const log = this.#o.log.child({ ...message.trace, waMessageId: message.waMessageId });
    log.debug('dispatching to the page');
    await outbox.dispatch(message, limitMs, () => client.sendMessage(...submission));
  }
}
