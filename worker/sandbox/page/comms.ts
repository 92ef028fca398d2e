import type { Stanza } from './protocol.ts';
import { config } from './state.ts';

/** Passes stanzas to their handlers. `getCommsConfig` is called each time the connection starts. */

type Handler = (stanza: Stanza) => void;
type OnHandleStanza = (stanza: Stanza, socketId: number, bytes: number) => Promise<void>;

const byKind = new Map<string, Handler>();

/**
 * Registers a handler for stanzas of a kind: the tag, for stream errors followed by code or conflict
 * (`stream:error 515`).
 */
export function onStanza(kind: string, handler: Handler): void {
  byKind.set(kind, handler);
}

/**
 * Replaceable from outside, as on the real page. A replacement applies from the next start of the connection. It is
 * notified of each stanza first.
 */
export const CommsConfig = {
  getCommsConfig(_options?: unknown): { handlers: { onHandleStanza: OnHandleStanza } } {
    return { handlers: { onHandleStanza: async () => {} } };
  },
};

/** Each stanza that is no answer passes here, wherever the connection runs. Replaceable from outside. */
export const WorkerCompatible = {
  handleWorkerCompatibleStanza(stanza: Stanza): void {
    byKind.get(kindOf(stanza))?.(stanza);
  },
};

export const CommsGating = { isCommsInWorker: () => config.comms === 'worker' };

let current = CommsConfig.getCommsConfig();

export function startComms(): void {
  current = CommsConfig.getCommsConfig({});
}

export function handleStanza(stanza: Stanza): void {
  if (!CommsGating.isCommsInWorker())
    void current.handlers.onHandleStanza(stanza, 1, JSON.stringify(stanza).length);
  // The connection itself finds the request that an acknowledgement belongs to.
  if (stanza.tag !== 'ack') WorkerCompatible.handleWorkerCompatibleStanza(stanza);
}

function kindOf({ tag, attrs, content }: Stanza): string {
  if (tag !== 'stream:error') return tag;
  return `${tag} ${attrs.code ?? content?.[0]?.attrs.type ?? content?.[0]?.tag ?? ''}`;
}
