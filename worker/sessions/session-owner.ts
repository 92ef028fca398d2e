import type { EngineState } from '#server/core/engine.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { SessionRow } from '#server/numbers/queries/sessions.ts';

/** Receives the events of a session and decides what follows. */
export interface SessionOwner {
  /** The row as last read. */
  row(): SessionRow | null;
  isStopping(): boolean;
  /** Queues a task; it is skipped if it is not current when its turn comes. */
  post(task: () => Promise<void>, isCurrent?: () => boolean): void;
  setStatus(status: SessionRow['status'], reason: string | null): Promise<boolean>;
  onOpen(): void;
  onClose(): void;
  onState(state: EngineState): Promise<void>;
  onQr(qr: string, expiresAtMs: number): Promise<void>;
  onPairingCode(pairingCode: string): Promise<void>;
  /** WhatsApp's restrictions may have changed; people wrote; WhatsApp refused a message to this recipient. */
  onLimits(): void;
  onReceivedFrom(digits: string[]): void;
  onRefused(recipient: Recipient, code: number | null): void;
  /** It was lost, and is no longer wanted. */
  onUnwanted(): Promise<void>;
  /** The delay after a lost session is over. */
  onRestart(): Promise<void>;
}
