/**
 * The gate around the page's own sending. The functions are sent into the page as text, so they may use only their
 * arguments and the page's globals.
 */

/** Marks a message that the adapter hands to the library, so that the page recognises it. */
export const MARK = 'wirebirdId';

/** Names of our functions that the page can call. */
export const MAY_DISPATCH = 'wirebirdMayDispatch';
export const MAY_WRITE = 'wirebirdMayWrite';
export const REPORT = 'wirebirdReport';

/** Error texts of our hooks; the outbox recognises them. */
export const HOOK_ERRORS = {
  heldBack: 'held back by the worker',
  disconnected: 'held back: there is no connection to WhatsApp',
  notAdded: 'not added: ',
  notUploaded: 'upload failed: ',
} as const;

/** What happened to a message in the page, by the step that reports it. */
export type PageReport =
  // An acknowledgement, from the library's event or the message itself.
  | { step: 'ack'; ack: number }
  // The page has finished with it, with this acknowledgement.
  | { step: 'over'; ack: number }
  // The server's stanza refused it, with this code.
  | { step: 'refused'; error: number }
  // The server's answer, `error` the code with which it refused.
  | { step: 'job'; error: number | null }
  // The job rejected, before or after it passed its gate.
  | { step: 'jobFailed'; error: string; through: boolean }
  // One of the two promises of `addAndSendMsgToChat` rejected.
  | { step: 'notAdded' | 'notSent'; error: string }
  // The page has finished with it, marked as failed and never acknowledged.
  | { step: 'flagged' };

interface Key {
  id: string;
  participant?: unknown;
  constructor: unknown;
}
interface Draft {
  id: Key;
  from: unknown;
  to: unknown;
  [MARK]?: string;
}
interface Message {
  ack?: number;
  isSendFailure?: boolean;
}
type Dispatch = (
  chat: unknown,
  draft: Draft,
  ...more: unknown[]
) => [Promise<Message | undefined>, Promise<unknown>];
interface JobResult {
  error?: unknown;
}
type Job = (
  request: { data?: { id?: Key; ack?: number } } | undefined,
  ...more: unknown[]
) => Promise<JobResult | undefined>;
interface Acknowledged {
  id: { id: string; fromMe?: boolean };
}
interface Upload {
  mediaObject?: { uploadStage?: unknown };
}

interface Modules {
  WAWebCollections: {
    Msg: { on(name: 'change:ack', listener: (message: Acknowledged, ack: number) => void): void };
  };
  WAWebSendMsgChatAction: { addAndSendMsgToChat: Dispatch };
  WAWebSendMsgJob: { encryptAndSendMsg: Job };
  WAWebMediaMmsV4Upload: { uploadMedia(file: Upload): Promise<{ kind?: unknown; mediaEntry?: unknown }> };
  WAComms: { isSocketConnected(): boolean; sendPing(): Promise<boolean> };
  WAWebEventsWaitForOfflineDeliveryEnd: { isOfflineDeliveryEnd?(): boolean };
}

export interface GatedPage {
  require<K extends keyof Modules>(name: K): Modules[K];
  onMessageAckEvent?(message: Acknowledged, ack: number): void;
  wirebirdHooked?: true;
  /** IDs of the messages that passed the gate in this document. */
  wirebirdPassed?: Set<string>;
  /** IDs of messages that the server has accepted, until their jobs end. */
  wirebirdAccepted?: Set<string>;
  wirebirdMayDispatch(id: string): Promise<boolean>;
  wirebirdMayWrite(id: string): Promise<boolean>;
  wirebirdReport(id: string, report: PageReport): Promise<void>;
}

/**
 * Installs the gate in front of the page's own sending. A marked message gets its chosen ID. It leaves only if
 * `wirebirdMayDispatch` and later, in the job that builds the stanza, `wirebirdMayWrite` allow it. Reports the
 * job's result, which the library discards. A second call in the same document does nothing.
 */
export function installGate(errors: typeof HOOK_ERRORS): void {
  const site = window as unknown as GatedPage;
  if (site.wirebirdHooked) return;
  const RECONNECT_MS = 3_000;
  /** Less than a message's time for its acknowledgement. */
  const DELIVERY_MS = 20_000;
  const AGAIN_MS = 50;
  site.wirebirdPassed ??= new Set();
  const passedIds = site.wirebirdPassed;
  const report = (id: string, what: PageReport) => void site.wirebirdReport(id, what).catch(() => {});
  let last = '';
  /** False for a repeated acknowledgement: the event, the job and the message each report it. */
  const isNew = (id: string, ack: number) => {
    const key = `${id} ${ack}`;
    const isFirst = ack !== 0 && key !== last;
    if (isFirst) last = key;
    return isFirst;
  };
  const textOf = (error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const moduleOf = <K extends keyof Modules>(name: K): Modules[K] | null => {
    try {
      return site.require(name);
    } catch {
      return null; // a build without this module; the self-test decides what that means
    }
  };

  const action = site.require('WAWebSendMsgChatAction');
  const dispatch = action.addAndSendMsgToChat;
  action.addAndSendMsgToChat = (chat, draft, ...more) => {
    const id = draft.wirebirdId;
    if (id === undefined) return dispatch(chat, draft, ...more);
    delete draft.wirebirdId;
    const MsgKey = draft.id.constructor as new (parts: object) => Key;
    const { from, to } = draft;
    // Set here and not where the page makes IDs, so that an earlier call that hung cannot take this ID.
    draft.id = new MsgKey({ from, to, id, participant: draft.id.participant, selfDir: 'out' });
    const passed = site.wirebirdMayDispatch(id).then((allowed) => {
      if (!allowed) throw new Error(errors.heldBack);
      passedIds.add(id);
      return dispatch(chat, draft, ...more);
    });
    const added = passed.then(([promise]) =>
      promise.catch((error: unknown) => {
        report(id, { step: 'notAdded', error: textOf(error) });
        throw new Error(errors.notAdded + textOf(error));
      }),
    );
    const sent = passed.then(([, promise]) => promise);
    sent.then(
      async () => {
        const message = await added;
        const { ack = 0 } = message ?? {};
        // Its jobs need the gate no longer, and a page runs for months.
        if (ack > 0) passedIds.delete(id);
        if (ack !== 0) report(id, { step: 'over', ack });
        else if (message?.isSendFailure) report(id, { step: 'flagged' });
      },
      // The outbox knows what the gate has held back, which may be dispatched again under this ID.
      (error: unknown) => passedIds.has(id) && report(id, { step: 'notSent', error: textOf(error) }),
    );
    return [added, sent];
  };

  /** Waits briefly for a reconnection. Rejects if there is none. */
  const waitForConnection = async () => {
    const comms = moduleOf('WAComms');
    if (!comms) return;
    const until = performance.now() + RECONNECT_MS;
    while (!comms.isSocketConnected()) {
      await comms.sendPing(); // throws if the connection was stopped permanently
      if (performance.now() > until) throw new Error(errors.disconnected);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };
  const isDelivered = () => {
    try {
      return moduleOf('WAWebEventsWaitForOfflineDeliveryEnd')?.isOfflineDeliveryEnd?.() !== false;
    } catch {
      return true; // a build that answers differently
    }
  };
  /**
   * Waits for what came while the page was offline: the job would wait for it too, past its gate. Rejects once the
   * connection is lost for longer than a brief reconnection.
   */
  const waitForLine = async () => {
    const until = performance.now() + DELIVERY_MS;
    await waitForConnection();
    while (!isDelivered() && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      await waitForConnection();
    }
  };
  const job = moduleOf('WAWebSendMsgJob');
  const write = job?.encryptAndSendMsg;
  if (job && write) {
    job.encryptAndSendMsg = async (request, ...more) => {
      const id = request?.data?.id?.id;
      // The page also writes messages of its own with this function, and repeats an accepted one for a device that asks.
      const isOver = (request?.data?.ack ?? 0) > 0;
      if (id === undefined || isOver || !passedIds.has(id)) return write(request, ...more);
      let result: JobResult | undefined;
      let through = false;
      try {
        await waitForLine();
        through = await site.wirebirdMayWrite(id);
        if (!through) throw new Error(errors.heldBack);
        // Upstream: not reported (docs/upstream.md)
        result = await write(request, ...more);
      } catch (error) {
        // A job can also fail after the server's answer.
        if (site.wirebirdAccepted?.has(id)) report(id, { step: 'job', error: null });
        else report(id, { step: 'jobFailed', error: textOf(error), through });
        throw error;
      } finally {
        site.wirebirdAccepted?.delete(id);
      }
      const code = result?.error === null ? null : Number(result?.error);
      // In any other form the result shows neither: the acknowledgement decides.
      if (code === null || code > 0) {
        isNew(id, code === null ? 1 : -1);
        report(id, { step: 'job', error: code });
      }
      return result;
    };
  }

  const uploads = moduleOf('WAWebMediaMmsV4Upload');
  const upload = uploads?.uploadMedia;
  if (uploads && upload) {
    uploads.uploadMedia = async (file) => {
      const result = await upload(file);
      if (result?.mediaEntry) return result;
      // Upstream: not reported (docs/upstream.md)
      throw new Error(
        `${errors.notUploaded}${String(result?.kind)} ${String(file.mediaObject?.uploadStage)}`,
      );
    };
  }

  // Reports acknowledgements of our own messages only, without the message's content.
  site.onMessageAckEvent = ({ id }, ack) => {
    if (id.fromMe && isNew(id.id, ack)) report(id.id, { step: 'ack', ack });
  };
  // The library reports a change only after it has copied the whole message, which can fail.
  site
    .require('WAWebCollections')
    .Msg.on('change:ack', (message, ack) => site.onMessageAckEvent?.(message, ack));
  site.wirebirdHooked = true;
}

/** Is the gate in this document? */
export function hasGate(): boolean {
  return (window as unknown as GatedPage).wirebirdHooked === true;
}
