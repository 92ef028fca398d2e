import { handleStanza, onStanza } from './comms.ts';
import { deviceRemoved, logoutFunctions } from './logout.ts';
import { showNotice } from './notice.ts';
import type { Stanza } from './protocol.ts';
import { Cmd } from './state.ts';
import { onFrame } from './wire.ts';

/** Handles a refused login, and the removal of this device by the server. */

const RELOAD_AFTER_MS = 500;

const BAN_REASONS: Readonly<Record<string, string>> = {
  '101': 'you sent too many messages to people who don’t have you in their address books',
  '102': 'too many people blocked you',
  '103': 'you created too many groups with people who don’t have you in their address books',
  '104': 'you sent the same message to too many people',
  '106': 'you sent too many messages to a broadcast list',
};

export function listenForLogin(): void {
  onFrame('stanza', ({ stanza }) => handleStanza(stanza));
  onStanza('failure', ({ attrs }) => refused(attrs));
  onStanza('stream:error device_removed', deviceRemoved);
  showWhyLoggedOut();
}

/** For all other reasons the page silently retries when it reconnects. */
function refused(attrs: Stanza['attrs']): void {
  switch (attrs.reason) {
    case '401':
    case '406':
      void logoutFunctions.clearCredentialsAndStoredData(undefined);
      return;
    case '402':
      banned(attrs);
      return;
    case '403':
      void logoutFunctions.clearCredentialsAndStoredData('account_locked', {
        header: attrs.logout_message_header ?? '',
        subtext: attrs.logout_message_subtext ?? '',
      });
      return;
    case '405':
    case '409':
      setTimeout(() => location.reload(), RELOAD_AFTER_MS);
      return;
    case '503':
      Cmd.trigger('service_unavailable_503_from_bridge');
      showNotice(
        'Service unavailable',
        'We’re having trouble connecting to WhatsApp. Please try again in a few minutes.',
      );
  }
}

function banned({ code = '', expire = '0' }: Stanza['attrs']): void {
  Cmd.trigger('account_temporarily_banned_from_bridge', { banned: true, code, expire: Number(expire) });
  showNotice(
    `You’re temporarily banned from WhatsApp because ${BAN_REASONS[code] ?? 'you may have violated our Terms of Service'}.`,
    `You’ll be able to use WhatsApp again in ${Math.ceil(Number(expire) / 60)} minutes.`,
  );
}

/** After the logout of a locked account, the page shows the reason. */
function showWhyLoggedOut(): void {
  const query = new URLSearchParams(location.search);
  if (query.get('logout_reason') !== '3') return;
  showNotice(
    query.get('logout_message_header') ??
      'You have been logged out. To log back in, you will need to verify your phone number.',
    query.get('logout_message_subtext') ?? '',
  );
}
