import { never } from './bytes.ts';
import { onStanza } from './comms.ts';
import { wipe } from './database.ts';
import { config } from './state.ts';
import { breakLine, forceResetSocketLoop, stopComms } from './wire.ts';

/** What the page does when the server ends its stream with an error. */

export function listenForStreamErrors(): void {
  onStanza('stream:error replaced', stopComms); // the state goes on saying CONNECTED
  onStanza('stream:error 515', forceResetSocketLoop);
  onStanza('stream:error 516', () => void forgetRegistration());
  for (const error of ['500', '503', 'xml-not-well-formed']) onStanza(`stream:error ${error}`, breakLine);
}

/** The link is gone, without any of the events of a logout. */
async function forgetRegistration(): Promise<void> {
  stopComms();
  if (config.wipeHangs) await never;
  await wipe();
  location.href = '/';
}
