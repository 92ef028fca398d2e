import { delay, never } from './bytes.ts';
import { wipe } from './database.ts';
import { forgetCredentials } from './linking.ts';
import { showNotice } from './notice.ts';
import { Cmd, config, me, Socket, Stream } from './state.ts';
import { call, stopComms } from './wire.ts';

/** Ends this page's link. Its functions are called through the module objects, as on the real page. */

export interface LogoutMessage {
  header: string;
  subtext: string;
}

/** Asks the server to remove this device. Replaceable from outside. */
export const UnpairJob = {
  unpairDevice: (reason: string): Promise<{ status: number }> => call('unpair', { reason }),
};

/** Starts a logout and returns at once: a last settings patch, then the request to the server, then the wipe. */
export function logout(reason = 'user_initiated'): void {
  void leave(reason);
}

async function leave(reason: string): Promise<void> {
  sayLoggingOut();
  await delay(config.settingsPatchMs);
  await UnpairJob.unpairDevice(reason).catch(() => {});
  await logoutFunctions.clearCredentialsAndStoredData(reason);
}

/** The server has removed this device. */
export function deviceRemoved(): void {
  sayLoggingOut();
  void logoutFunctions.clearCredentialsAndStoredData(undefined);
}

function sayLoggingOut(): void {
  Cmd.trigger('starting_logout_from_bridge');
  showNotice('Logging out', 'Do not close this window');
}

async function clearCredentialsAndStoredData(reason?: string, message?: LogoutMessage): Promise<void> {
  stopComms();
  Cmd.trigger('socket_stream_disconnected_from_bridge');
  me.pn = undefined;
  me.lid = undefined;
  if (Socket.hasSynced) Socket.set({ hasSynced: undefined });
  Stream.set({ mode: 'SYNCING' });
  forgetCredentials();
  if (config.wipeHangs) await never;
  await wipe();
  location.href = `/${reason === 'account_locked' ? lockedQuery(message) : ''}`;
  Cmd.trigger('logout_from_bridge');
}

function lockedQuery({ header, subtext }: LogoutMessage = { header: '', subtext: '' }): string {
  const query = new URLSearchParams({ logout_reason: '3' });
  if (header) query.set('logout_message_header', header);
  if (subtext) query.set('logout_message_subtext', subtext);
  return `?${query}`;
}

/** Members of the page's `Socket`. */
export const logoutFunctions = Object.assign(Socket, { logout, clearCredentialsAndStoredData });
