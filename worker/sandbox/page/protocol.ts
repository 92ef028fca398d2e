/**
 * The JSON messages between the page and the simulated server over the page's WebSocket. Types only, imported by both
 * sides.
 */

import type { Restrictions } from '#server/sandbox/contract.ts';
import type { Action, StoredRule } from '#server/sandbox/rule.ts';

export interface Credentials {
  deviceId: string;
  token: string;
  /** `<digits>@c.us` */
  wid: string;
}

export interface GroupInfo {
  id: string;
  name: string;
  /** `<digits>@c.us` */
  participants: string[];
}

/** A rule that is applied inside the page. The page does not get the rules that the server applies. */
export type PageRule = Omit<StoredRule, 'action' | 'times'> & {
  action: Exclude<Action, 'refuse' | 'not-on-whatsapp'>;
};

export interface SentMessage {
  /** The bare ID; the remote part of the full one differs between `@c.us` and `@lid`. */
  id: string;
  /** The full ID, by which the page finds the message. */
  key: string;
  to: string;
  type: string;
  body?: string;
  caption?: string;
  mimetype?: string;
  filename?: string;
  /** Base64 SHA-256 of the uploaded file. */
  filehash?: string;
  latitude?: number;
  longitude?: number;
  /** Name and address of a place, joined by a newline. */
  place?: string;
  linkPreview?: string;
  /** To how many members of a group the page addressed it. */
  members?: number;
}

/** A stanza as it arrives, before anything handles it. */
export interface Stanza {
  tag: string;
  attrs: { [name: string]: string | undefined };
  content?: Stanza[];
}

/** Requests of the page that the server answers. */
export interface Calls {
  exists: { args: { wid: string }; result: { pn: string; lid: string } | null };
  /** `error`: the code with which the server refuses it. */
  send: { args: SentMessage; result: { ack: 1 | -1; error: number | null; atSeconds: number } };
  /** Null for a group that the account is not in. */
  group: { args: { id: string }; result: GroupInfo | null };
  groups: { args: null; result: GroupInfo[] };
  /** Uses a rule once; false if it is used up. Counted on the server, so that a reload does not reset it. */
  spendRule: { args: { ruleId: string }; result: boolean };
  refreshRef: { args: null; result: null };
  pairingCode: { args: { phone: string }; result: { code: string } | { refused: 429 | 400 } };
  ping: { args: null; result: true };
  /** The passkey's options again, as JSON text. */
  passkeyOptions: { args: null; result: string };
  passkeyRef: { args: null; result: string };
  /** `assertion`: the signed credential as JSON text. */
  passkeyPrologue: { args: { ref: string; assertion: string }; result: null };
  /** Returns the code that the phone shows. */
  companionNonce: { args: { nonce: string }; result: string };
  /** The codes are equal: the phone links this page. */
  pairingRequest: { args: null; result: null };
  takeover: { args: null; result: null };
  /** Removes this device. */
  unpair: { args: { reason: string }; result: { status: number } };
  restrictions: { args: null; result: Restrictions };
}
export type CallName = keyof Calls;

/** Requests that wait in the page until it is logged in, and are repeated after a lost connection. */
export const NEEDS_LOGIN: readonly CallName[] = [
  'exists',
  'group',
  'groups',
  'send',
  'spendRule',
  'unpair',
  'restrictions',
];

export type CallFrame = {
  [K in CallName]: { t: 'call'; id: number; op: K; args: Calls[K]['args'] };
}[CallName];

export type FromPage =
  /** `pageId` is new with each load of the page. */
  | { t: 'hello'; pageId: string; credentials: Credentials | null }
  | CallFrame
  /** The secret in its QR, in place of the signature that the real page would check. */
  | { t: 'secret'; secret: string }
  /** The page has applied the change with this number. */
  | { t: 'confirm'; seq: number };

export interface Welcome {
  t: 'welcome';
  me: { pn: string; lid: string; name: string };
  groups: GroupInfo[];
  rules: PageRule[];
}

/** Changes that the page confirms, so that the caller knows when they are in effect. */
export type Change = { t: 'rules'; rules: PageRule[] } | { t: 'group'; group: GroupInfo };

export type ToPage =
  | { t: 'result'; id: number; data: unknown }
  | { t: 'failure'; id: number; error: string }
  | { t: 'unpaired'; ref: string; ttlMs: number }
  | { t: 'ref'; ref: string; ttlMs: number }
  /** No further QR until the page requests one. */
  | { t: 'refsOver' }
  /** The notification `passkey_prologue_request`, with the options as JSON text. */
  | { t: 'passkey'; options: string }
  /** The notification `crsc_continuation`: the phone continues. */
  | { t: 'primaryIdentity' }
  | { t: 'paired'; credentials: Credentials }
  /** The noise handshake of a linked page is done; the result of its login follows. */
  | { t: 'noise' }
  | Welcome
  /** Older pages only. */
  | { t: 'conflict' }
  | { t: 'state'; state: string }
  | { t: 'stanza'; stanza: Stanza }
  | { t: 'reload' }
  | (Change & { seq: number })
  /** The restrictions have changed: the page requests them. */
  | { t: 'restricted' }
  | { t: 'ack'; key: string; ack: number }
  | { t: 'message'; id: string; from: string; body: string; atSeconds: number };

export type UploadAnswer = { directPath: string; handle: string };
