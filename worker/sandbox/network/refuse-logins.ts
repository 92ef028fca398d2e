import type { LoginRefusal } from '#server/sandbox/contract.ts';
import type { Stanza } from '../page/protocol.ts';
import type { Phones } from './phones.ts';

/** Refused logins of a phone's pages. */

/** Refuses logins from now on; null accepts them again. */
export function setRefusal(phones: Phones, phone: string, refusal: LoginRefusal | null): void {
  if (!refusal) {
    phones.update(phone, { refusal: null });
    return;
  }
  const { expire, times, ...given } = refusal;
  const until = expire === undefined ? undefined : Date.now() + expire * 1000;
  phones.update(phone, { refusal: { ...given, until, left: times } });
}

/** The current refusal of a login, counted; undefined if it is accepted. */
export function takeRefusal(phones: Phones, phone: string): Stanza | undefined {
  const { refusal } = phones.get(phone);
  if (!refusal) return undefined;
  const { reason, code, header, subtext, until, left } = refusal;
  const leftMs = until === undefined ? undefined : until - Date.now();
  if (left === 0 || (leftMs !== undefined && leftMs <= 0)) {
    phones.update(phone, { refusal: null });
    return undefined;
  }
  if (left !== undefined) phones.update(phone, { refusal: { ...refusal, left: left - 1 } });
  const expire = leftMs === undefined ? undefined : String(Math.ceil(leftMs / 1000));
  const named = {
    reason: String(reason),
    code,
    expire,
    logout_message_header: header,
    logout_message_subtext: subtext,
  };
  return { tag: 'failure', attrs: named };
}

/** After these the server has removed the device. */
export function endsLink({ attrs }: Stanza): boolean {
  return attrs.reason === '401' || attrs.reason === '403' || attrs.reason === '406';
}
