import { never } from './bytes.ts';
import { onStanza } from './comms.ts';
import { wipe } from './database.ts';
import { config } from './state.ts';
import { forceResetSocketLoop, reconnectLater, stopComms } from './wire.ts';

/** Handles stream errors of the server. */

export function listenForStreamErrors(): void {
  onStanza('stream:error replaced', stopComms); // the state stays CONNECTED
  onStanza('stream:error 515', forceResetSocketLoop);
  onStanza('stream:error 516', () => void forgetRegistration());
  for (const error of ['500', '503', 'xml-not-well-formed'])
    onStanza(`stream:error ${error}`, reconnectLater);
}

/** Forgets the link, without the events of a logout. */
async function forgetRegistration(): Promise<void> {
  stopComms();
  if (config.wipeHangs) await never;
  await wipe();
  location.href = '/';
}
