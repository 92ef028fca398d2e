import { forceResetSocketLoop, isSocketConnected, sendPing } from './wire.ts';

/** The modules of the page's connection to the server. */
export const line = {
  WAComms: { isSocketConnected, sendPing, forceResetSocketLoop },
  WAWebNetworkStatus: {
    get online() {
      return navigator.onLine;
    },
  },
};
