/**
 * Holds back what WhatsApp's page would send on its own after a restart: the messages that an earlier document had not
 * finished. The function is sent into the page as text, so it may use only its arguments and the page's globals.
 */

/** Name of our function that the page calls for each message that it holds back. */
export const HELD_BACK = 'wirebirdHeldBack';

/** The page's types for the messages that we send. It also writes others, of its own, which are never held back. */
export const OWN_TYPES = ['chat', 'image', 'audio', 'ptt', 'document', 'location', 'vcard'];

interface Message {
  id?: { id?: string };
  type?: string;
  ack?: number;
}
type Job = (request: { data?: Message } | undefined, ...more: unknown[]) => Promise<unknown>;

interface HoldingPage {
  require?(name: 'WAWebSendMsgJob'): { encryptAndSendMsg: Job };
  /** IDs of the messages that passed the gate in this document. */
  wirebirdPassed?: Set<string>;
  wirebirdHeldBack?(id: string): Promise<void>;
}

/**
 * Refuses each send job of a message without an acknowledgement that has not passed the gate in this document. Run it
 * in each new document: it polls for the job every `pollMs`, because the page may resume right after its login.
 */
export function holdResumed(pollMs: number, types: readonly string[], heldBack: string): void {
  if (window.top !== window) return;
  const site = window as unknown as HoldingPage;
  if (site.wirebirdPassed) return;
  const passed = new Set<string>();
  site.wirebirdPassed = passed;
  const poll = setInterval(() => {
    try {
      const job = site.require?.('WAWebSendMsgJob');
      const write = job?.encryptAndSendMsg;
      if (!job || !write) return;
      clearInterval(poll);
      job.encryptAndSendMsg = async (request, ...more) => {
        const { id: { id = '' } = {}, type = '', ack } = request?.data ?? {};
        const isOver = ack !== undefined && ack > 0;
        if (types.includes(type) && !isOver && !passed.has(id)) {
          site.wirebirdHeldBack?.(id).catch(() => {});
          throw new Error(heldBack);
        }
        return write(request, ...more);
      };
    } catch {
      // The page's scripts are still loading.
    }
  }, pollMs);
}
