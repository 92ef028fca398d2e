import { delay } from './bytes.ts';
import { config } from './state.ts';

/** The end of offline delivery: what came while the page was away is all there. Sends wait for it. */

const ended = Promise.withResolvers<void>();
let over = false;

/** Called when the page has synced; the end comes `offlineDeliveryMs` later. */
export async function endOfflineDelivery(): Promise<void> {
  await delay(config.offlineDeliveryMs);
  over = true;
  ended.resolve();
}

export const isOfflineDeliveryEnd = (): boolean => over;
export const waitForOfflineDeliveryEnd = (): Promise<void> => ended.promise;
