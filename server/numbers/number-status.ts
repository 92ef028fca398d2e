import type { CallerNumber } from '#server/api-keys/caller.ts';
import type { NumberStatus } from '#server/core/number-state.ts';

export interface NumberStatusView {
  instance: string;
  /** Digits, or empty when it was never linked. */
  phoneNumber: string;
  status: NumberStatus;
  connected: boolean;
}

/** What `GET /v1/status` says of the caller's number. */
export function numberStatus(number: CallerNumber): NumberStatusView {
  return {
    instance: number.id,
    phoneNumber: number.phoneNumber ?? '',
    status: number.status,
    connected: number.status === 'CONNECTED',
  };
}
