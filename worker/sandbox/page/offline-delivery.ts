import { delay } from './bytes.ts';
import { config } from './state.ts';

/** The end of offline delivery, when everything that came while the page was offline has arrived. Sends wait for it. */

const ended = Promise.withResolvers<void>();
let over = false;

/** Call when the page has synced. The end comes `offlineDeliveryMs` later. */
export async function endOfflineDelivery(): Promise<void> {
  await delay(config.offlineDeliveryMs);
  over = true;
  ended.resolve();
}

export const isOfflineDeliveryEnd = (): boolean => over;
export const waitForOfflineDeliveryEnd = (): Promise<void> => ended.promise;
