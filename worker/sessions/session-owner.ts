import type { EngineState } from '#server/core/engine.ts';
import type { Cause } from '#server/core/number/cause.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { SessionRow } from '#server/numbers/queries/sessions.ts';

/** Receives the events of a session and decides what follows. */
export interface SessionOwner {
  /** The row as last read. */
  row(): SessionRow | null;
  isStopping(): boolean;
  /** Queues a task. A task that is no longer current when its turn comes is skipped. */
  post(task: () => Promise<void>, isCurrent?: () => boolean): void;
  setStatus(status: SessionRow['status'], cause: Cause | null): Promise<boolean>;
  onOpen(): void;
  onClose(): void;
  onState(state: EngineState): Promise<void>;
  onQr(qr: string, expiresAtMs: number): Promise<void>;
  onPairingCode(pairingCode: string): Promise<void>;
  /** WhatsApp's restrictions may have changed. */
  onLimits(): void;
  /** These people have written to the number. */
  onReceivedFrom(digits: string[]): void;
  /** WhatsApp refused a message to this recipient. */
  onRefused(recipient: Recipient | null, code: number | null): void;
  /** The session was lost and is no longer wanted. */
  onUnwanted(): Promise<void>;
  /** The delay after a lost session is over. */
  onRestart(): Promise<void>;
}
