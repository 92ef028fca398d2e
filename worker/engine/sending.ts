import type { Outgoing } from '#server/core/engine.ts';
import { isMedia } from '#server/core/message.ts';
import { isGroup } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Log } from '#server/platform/log.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { Draft } from './drafts/draft.ts';
import { draftOf } from './drafts/index.ts';
import type { Groups } from './groups.ts';
import type { Page } from './library.ts';
import type { Outbox } from './outbox.ts';
import { sendDraft } from './page/drafts.ts';
import type { PageGate } from './page-gate.ts';
import type { Readiness } from './readiness.ts';
import { asError } from './timeout.ts';
import type { EngineTimes } from './times.ts';

interface SendingOptions {
  times: EngineTimes;
  log: Log;
  gate: PageGate;
  readiness: Readiness;
  connection: ConnectionWatch;
  groups: Groups;
  outbox: Outbox;
  page(): Page;
}

/** Hands messages to the page once the page has passed its self-test and is connected. */
export class Sending {
  readonly #o: SendingOptions;

  constructor(options: SendingOptions) {
    this.#o = options;
  }

  /** Resolves when the page has accepted the message; rejects with {@link SendError}. */
  async send(message: Outgoing): Promise<void> {
    const { gate, readiness, connection, groups, outbox, times, page } = this.#o;
    if (!(await gate.check()) || !readiness.proven)
      throw new SendError(true, 'page', 'the session is not ready');
    if (!connection.up) throw new SendError(true, 'page', 'WhatsApp Web is not connected');
    if (isGroup(message.recipient)) await groups.requireMembership(message.recipient);
    const draft = this.#draft(message);
    const limitMs = isMedia(message.content) ? times.sendMediaMs : times.sendMs;
    const log = this.#o.log.child({ ...message.trace, waMessageId: message.waMessageId });
    log.debug('dispatching to the page');
    const given = { chatId: message.address, id: message.waMessageId, draft };
    await outbox.dispatch(message, limitMs, () => page().evaluate(sendDraft, given));
  }

  #draft({ content, media }: Outgoing): Draft {
    try {
      return draftOf(content, media);
    } catch (error) {
      throw new SendError(true, 'media', asError(error).message, { cause: error });
    }
  }
}
