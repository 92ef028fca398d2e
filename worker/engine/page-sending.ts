/**
 * What the adapter puts around the page's own sending. The functions are sent into the page as text, so they may
 * use nothing but their arguments and the page's globals.
 */

/** The mark by which a message that the adapter hands to the library is known again in the page. */
export const MARK = 'wirebirdId';

/** Names of our functions that the page can call. */
export const MAY_DISPATCH = 'wirebirdMayDispatch';
export const MAY_WRITE = 'wirebirdMayWrite';
export const REPORT = 'wirebirdReport';

/** Words with which our own hooks fail a message; the outbox reads them. */
export const WORDS = {
  heldBack: 'held back by the worker',
  noLine: 'held back: there is no connection to WhatsApp',
  notAdded: 'not added: ',
  notUploaded: 'upload failed: ',
} as const;

/**
 * What became of a message in the page, by the step that says so:
 * - `ack`: an acknowledgement, from the library's event or the message itself;
 * - `refused`: the server's stanza refused it, with this code;
 * - `job`: the server's answer, `error` the code with which it refused;
 * - `jobFailed`: the job rejected, so nothing was written;
 * - `notAdded`, `notSent`: one of the two promises of `addAndSendMsgToChat` rejected;
 * - `over`: the page is done with it, and this is its acknowledgement;
 * - `flagged`: it is over, marked as failed, and was never acknowledged.
 */
export type PageReport =
  | { step: 'ack'; ack: number }
  | { step: 'over'; ack: number }
  | { step: 'refused'; error: number }
  | { step: 'job'; error: number | null }
  | { step: 'jobFailed' | 'notAdded' | 'notSent'; error: string }
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
type Dispatch = (chat: unknown, draft: Draft) => [Promise<Message | undefined>, Promise<unknown>];
type Job = (request: { data: { id: Key } }, reporters: unknown) => Promise<{ error?: unknown }>;
interface Upload {
  mediaObject?: { uploadStage?: unknown };
}

interface Modules {
  WAWebSendMsgChatAction: { addAndSendMsgToChat: Dispatch };
  WAWebSendMsgJob: { encryptAndSendMsg: Job };
  WAWebMediaMmsV4Upload: { uploadMedia(file: Upload): Promise<{ kind?: unknown; mediaEntry?: unknown }> };
  WAComms: { isSocketConnected(): boolean; sendPing(): Promise<boolean> };
}

export interface GatedPage {
  require<K extends keyof Modules>(name: K): Modules[K];
  onMessageAckEvent?(message: { id: { id: string; fromMe?: boolean } }, ack: number): void;
  wirebirdHooked?: true;
  wirebirdMayDispatch(id: string): Promise<boolean>;
  wirebirdMayWrite(id: string): Promise<boolean>;
  wirebirdReport(id: string, report: PageReport): Promise<void>;
}

/**
 * Puts the gate in front of the page's own sending: a marked message gets the id that was chosen for it, leaves
 * only when `wirebirdMayDispatch` allows it, and is asked about once more by `wirebirdMayWrite` in the job that
 * builds the stanza, however late the page comes to that. What becomes of it, which the library throws away, is
 * reported. The id is set here and not by changing what makes ids, so that an earlier call that hangs and then
 * goes on can never take it. Acknowledgements are reported without their message, and only those of our own.
 * Doing it again in the same document changes nothing.
 */
export function putGate(words: typeof WORDS): void {
  const site = window as unknown as GatedPage;
  if (site.wirebirdHooked) return;
  const LINE_BACK_MS = 3_000;
  const gated = new Set<string>();
  const report = (id: string, what: PageReport) => void site.wirebirdReport(id, what).catch(() => {});
  let last = '';
  /** The event, the job and the message say the same one after the other. */
  const isNews = (id: string, ack: number) => {
    const said = `${id} ${ack}`;
    const news = ack !== 0 && said !== last;
    if (news) last = said;
    return news;
  };
  const textOf = (error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const moduleOf = <K extends keyof Modules>(name: K): Modules[K] | null => {
    try {
      return site.require(name);
    } catch {
      return null; // a build without it; the self-test decides what that means
    }
  };

  const action = site.require('WAWebSendMsgChatAction');
  const dispatch = action.addAndSendMsgToChat;
  action.addAndSendMsgToChat = (chat, draft) => {
    const id = draft.wirebirdId;
    if (id === undefined) return dispatch(chat, draft);
    delete draft.wirebirdId;
    const MsgKey = draft.id.constructor as new (parts: object) => Key;
    const { from, to } = draft;
    draft.id = new MsgKey({ from, to, id, participant: draft.id.participant, selfDir: 'out' });
    const passed = site.wirebirdMayDispatch(id).then((allowed) => {
      if (!allowed) throw new Error(words.heldBack);
      gated.add(id);
      return dispatch(chat, draft);
    });
    const added = passed.then(([promise]) =>
      promise.catch((error: unknown) => {
        report(id, { step: 'notAdded', error: textOf(error) });
        throw new Error(words.notAdded + textOf(error));
      }),
    );
    const sent = passed.then(([, promise]) => promise);
    sent.then(
      async () => {
        const message = await added;
        if (message?.ack) report(id, { step: 'over', ack: message.ack });
        else if (message?.isSendFailure && !message.ack) report(id, { step: 'flagged' });
      },
      // Also when it was held back or not added, which is known by then.
      (error: unknown) => report(id, { step: 'notSent', error: textOf(error) }),
    );
    return [added, sent];
  };

  /** Waits a moment for a line that is just coming back. Rejects when there is none. */
  const demandLine = async () => {
    const comms = moduleOf('WAComms');
    if (!comms) return;
    const until = performance.now() + LINE_BACK_MS;
    while (!comms.isSocketConnected()) {
      await comms.sendPing(); // throws where the line was stopped for good
      if (performance.now() > until) throw new Error(words.noLine);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const job = moduleOf('WAWebSendMsgJob');
  const write = job?.encryptAndSendMsg;
  if (job && write) {
    job.encryptAndSendMsg = async (request, reporters) => {
      const { id } = request.data.id;
      if (!gated.has(id)) return write(request, reporters);
      try {
        await demandLine();
        if (!(await site.wirebirdMayWrite(id))) throw new Error(words.heldBack);
        // Upstream: not reported (docs/upstream.md)
        const result = await write(request, reporters);
        const error = typeof result.error === 'number' ? result.error : null;
        isNews(id, error === null ? 1 : -1);
        report(id, { step: 'job', error });
        return result;
      } catch (error) {
        report(id, { step: 'jobFailed', error: textOf(error) });
        throw error;
      }
    };
  }

  const uploads = moduleOf('WAWebMediaMmsV4Upload');
  const upload = uploads?.uploadMedia;
  if (uploads && upload) {
    uploads.uploadMedia = async (file) => {
      const result = await upload(file);
      if (result?.mediaEntry) return result;
      // Upstream: not reported (docs/upstream.md)
      throw new Error(`${words.notUploaded}${String(result?.kind)} ${String(file.mediaObject?.uploadStage)}`);
    };
  }

  site.onMessageAckEvent = ({ id }, ack) => {
    if (id.fromMe && isNews(id.id, ack)) report(id.id, { step: 'ack', ack });
  };
  site.wirebirdHooked = true;
}

/** Is the gate in this document? */
export function hasGate(): boolean {
  return (window as unknown as GatedPage).wirebirdHooked === true;
}
