import { isMedia, MESSAGE_TYPES, type MessageContent, type MessageType } from './message.ts';

/** Which kinds of messages a build of WhatsApp Web can send: pure rules over what is known of each. */

/** A kind that failed is tested again after this long. */
export const KIND_RETRY_MS = 10 * 60_000;
/** A connected number tests every kind again after this long: what the site switches on later can break one. */
export const KIND_REPEAT_MS = 3_600_000;
/** While a kind is not proven, a message of it holds up the others of the installation for at most this long. */
export const KIND_TRY_MS = 90_000;

/** So many messages of a kind without an answer speak against the page, if none of it was acknowledged. */
export const UNKNOWN_MAX = 3;

export interface KindFacts {
  kind: MessageType;
  /** WhatsApp acknowledged a message of it. */
  proven: boolean;
  /** What differs, in a clause; null if it passed. Results of another version of Wirebird are not among the facts. */
  failedCheck: string | null;
  /** Since it was tested, or a message of it failed. */
  testedMsAgo: number;
}

export type KindState = 'proven' | 'failed' | 'tested' | 'untested';

/** What was last found, however long ago. */
export function kindResult(facts: KindFacts | undefined): KindState {
  if (!facts) return 'untested';
  if (facts.proven) return 'proven';
  return facts.failedCheck === null ? 'tested' : 'failed';
}

export function kindState(facts: KindFacts | undefined): KindState {
  const result = kindResult(facts);
  return result === 'failed' && facts && facts.testedMsAgo >= KIND_RETRY_MS ? 'untested' : result;
}

/** The state of each kind on a build. */
export function kindStates(known: readonly KindFacts[]): Record<MessageType, KindState> {
  const stateOf = (type: MessageType) => kindState(known.find(({ kind }) => kind === type));
  return Object.fromEntries(MESSAGE_TYPES.map((type) => [type, stateOf(type)])) as Record<
    MessageType,
    KindState
  >;
}

/** What a caller reads of a kind: it was sent, it is refused, or neither is known yet. */
export const SHOWN_KIND_STATES = ['ok', 'failing', 'unproven'] as const;
export type ShownKindState = (typeof SHOWN_KIND_STATES)[number];

const SHOWN: Record<KindState, ShownKindState> = {
  proven: 'ok',
  failed: 'failing',
  tested: 'unproven',
  untested: 'unproven',
};

/** The state of each kind on a build, as callers read it. */
export function shownKinds(known: readonly KindFacts[]): Record<MessageType, ShownKindState> {
  const states = kindStates(known);
  return Object.fromEntries(MESSAGE_TYPES.map((type) => [type, SHOWN[states[type]]])) as Record<
    MessageType,
    ShownKindState
  >;
}

/** Why a message of this kind is refused while the number is connected. */
export function kindRefusal(content: MessageContent, version: string): string {
  const what = isMedia(content) ? 'Files of this kind' : 'Messages of this kind';
  return `${what} (${content.type}) cannot be sent on WhatsApp Web build ${version}. Nothing was sent. Other kinds are sent as usual. Wirebird tests this kind again every ${KIND_RETRY_MS / 60_000} minutes. If it lasts, ask the administrator of this server to update Wirebird.`;
}
