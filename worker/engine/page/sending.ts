/**
 * The gate around the page's own sending. The functions are sent into the page as text, so they may use only their
 * arguments and the page's globals.
 */

import type { SeenDraft } from '../drafts/draft.ts';
import type { DraftingPage } from './drafts.ts';
import type { HOOK_ERRORS } from './hook-errors.ts';
import type { PreludePage } from './prelude.ts';

/** Names of our functions that the page can call. */
export const MAY_DISPATCH = 'wirebirdMayDispatch';
export const REPORT = 'wirebirdReport';

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

interface Draft {
  id?: { id?: string };
  type?: unknown;
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
interface Acknowledged {
  id: { id: string; fromMe?: boolean };
}
interface Modules {
  WAWebCollections: {
    Msg: { on(name: 'change:ack', listener: (message: Acknowledged, ack: number) => void): void };
  };
  WAWebSendMsgChatAction: { addAndSendMsgToChat: Dispatch };
}

export interface GatedPage extends PreludePage, Pick<DraftingPage, 'wirebirdDrafted' | 'wirebirdSeen'> {
  require<K extends keyof Modules>(name: K): Modules[K];
  onMessageAckEvent?(message: Acknowledged, ack: number): void;
  /** This document was tested: another one that follows it is not. */
  wirebirdTested?: true;
  /** IDs of the messages that passed the gate in this document. */
  wirebirdPassed?: Set<string>;
  /** The message and acknowledgement that were reported last: its event and its job can both show one. */
  wirebirdLastAck?: string;
  /** IDs of messages that the server has accepted, until their jobs end. */
  wirebirdAccepted?: Set<string>;
  wirebirdMayDispatch(id: string, seen: SeenDraft): Promise<boolean>;
  wirebirdReport(id: string, report: PageReport): Promise<void>;
}

/**
 * Installs the gate in front of the page's own sending. A message of ours is added to its chat only if
 * `wirebirdMayDispatch` allows it as it is. A second call in the same document changes nothing.
 */
export function installGate(errors: typeof HOOK_ERRORS): void {
  const site = window as unknown as GatedPage;
  site.wirebirdPassed ??= new Set();
  const passedIds = site.wirebirdPassed;
  const report = (id: string, what: PageReport) => void site.wirebirdReport(id, what).catch(() => {});
  const textOf = (error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const gate =
    (dispatch: Dispatch): Dispatch =>
    (chat, draft, ...more) => {
      const id = draft.id?.id ?? '';
      if (!site.wirebirdDrafted?.delete(id)) return dispatch(chat, draft, ...more);
      const seen = site.wirebirdSeen({ ...draft });
      const passed = site.wirebirdMayDispatch(id, seen).then((allowed) => {
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

  const { hook, isFirst } = site.wirebird;
  hook(site.require('WAWebSendMsgChatAction'), 'addAndSendMsgToChat', 'gate', gate);

  // Reports acknowledgements of our own messages only, without the message's content.
  site.onMessageAckEvent = ({ id }, ack) => {
    const known = `${id.id} ${ack}`;
    if (!id.fromMe || ack === 0 || site.wirebirdLastAck === known) return;
    site.wirebirdLastAck = known;
    report(id.id, { step: 'ack', ack });
  };
  // The library reports a change only after it has copied the whole message, which can fail.
  const { Msg } = site.require('WAWebCollections');
  if (isFirst(Msg, 'acks')) Msg.on('change:ack', (message, ack) => site.onMessageAckEvent?.(message, ack));
  site.wirebirdTested = true;
}

/** Is this the document in which the gate was installed? */
export function hasGate(): boolean {
  return (window as unknown as GatedPage).wirebirdTested === true;
}
