import type { MessageType } from './message.ts';

// Pages import this file, so it takes only the type from `message.ts`, whose descriptors are large.

/** Kinds of messages that fail on a build of WhatsApp Web; at least one. */
export interface FailingKinds {
  build: string;
  kinds: readonly MessageType[];
}

const FILES = { image: 'images', document: 'documents', audio: 'audio files' };
const NAMES: Record<MessageType, string> = {
  text: 'texts',
  location: 'locations',
  contact: 'contact cards',
  ...FILES,
};
const ALL = Object.keys(NAMES) as MessageType[];
const ALL_FILES = Object.keys(FILES) as MessageType[];

/** Which messages cannot be sent on a build. */
export function failingSentence({ build, kinds }: FailingKinds): string {
  const fail = (types: readonly MessageType[]) => types.every((type) => kinds.includes(type));
  const others = ALL.filter((type) => kinds.includes(type) && !(fail(ALL_FILES) && type in FILES));
  const names = fail(ALL)
    ? ['messages']
    : [...(fail(ALL_FILES) ? ['files'] : []), ...others.map((type) => NAMES[type])];
  const what = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : `${names[0]}`;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} cannot be sent on WhatsApp Web build ${build}.`;
}
