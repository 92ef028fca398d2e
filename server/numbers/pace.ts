import type { Network } from '#server/core/number-state.ts';
import type { SendPace } from '#server/core/pacing/interval.ts';
import { settings } from '#server/settings.ts';

/** A number's pace. The setting for tests reaches sandbox numbers only. */
export function paceOf(number: SendPace & { network: Network }): SendPace {
  const { sandboxSendIntervalMs: testMs } = settings;
  if (number.network !== 'sandbox' || testMs === undefined) return number;
  return { sendIntervalSeconds: testMs / 1000, protected: number.protected };
}
