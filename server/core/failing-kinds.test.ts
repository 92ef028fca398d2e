import { expect, test } from 'vitest';
import { failingSentence } from './failing-kinds.ts';
import { MEDIA_RULES, MESSAGE_TYPES, type MessageType } from './message.ts';

const said = (...kinds: MessageType[]) => failingSentence({ build: '2.3000.1', kinds });

test('one sentence names the kinds that fail', () => {
  const on = 'cannot be sent on WhatsApp Web build 2.3000.1.';
  expect(said('contact')).toBe(`Contact cards ${on}`);
  expect(said('image', 'text')).toBe(`Texts and images ${on}`);
  expect(said('audio', 'document', 'location')).toBe(`Locations, documents and audio files ${on}`);
  const files = Object.keys(MEDIA_RULES) as MessageType[];
  expect(said(...files)).toBe(`Files ${on}`);
  expect(said(...files, 'contact')).toBe(`Files and contact cards ${on}`);
  expect(said(...MESSAGE_TYPES)).toBe(`Messages ${on}`);
});
