import type { MessageType } from '#server/core/message.ts';

export const TO = '4915228817386';

/** A body of each kind that its endpoint accepts. */
export const RIGHT: Record<MessageType, Record<string, unknown>> = {
  text: { to: TO, body: 'Good morning' },
  image: { to: TO, url: 'https://example.com/a.jpg' },
  document: { to: TO, url: 'https://example.com/a.pdf', filename: 'a.pdf' },
  location: { to: TO, latitude: 53.55, longitude: 9.99 },
  contact: { to: TO, contactName: 'Jonas', contactPhone: '4915112345678' },
  audio: { to: TO, url: 'https://example.com/a.mp3' },
};
