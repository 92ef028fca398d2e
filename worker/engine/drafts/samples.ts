import type { MessageContent, MessageType } from '#server/core/message.ts';

/** One message of each kind, with a tiny file where it has one, for the self-test. None of them is ever sent. */
export interface Sample {
  content: MessageContent;
  file: { bytes: Buffer; mimeType: string } | null;
}

const url = 'https://wirebird.invalid/';

/** A single pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const PDF = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj',
  'trailer<</Root 1 0 R>>',
  '%%EOF',
].join('\n');

/** A fifth of a second of silence: OGG with Opus. The page refuses a WAV file. */
const OGG = [
  'T2dnUwACAAAAAAAAAAB6WDNPAAAAAJM2NFUBE09wdXNIZWFkAQE4AYC7AAAAAABPZ2dTAAAAAAAAAAAAAHpYM08BAAAAUKyrxgGn',
  'T3B1c1RhZ3MfAAAAbGlib3B1cyAxLjMuMSwgbGlib3B1c2VuYyAwLjIuMQIAAAAjAAAARU5DT0RFUj1vcHVzZW5jIGZyb20gb3B1',
  'cy10b29scyAwLjJNAAAARU5DT0RFUl9PUFRJT05TPS0tYml0cmF0ZSA2IC0tZGlzY2FyZC1jb21tZW50cyAtLWRpc2NhcmQtcGlj',
  'dHVyZXMgLS1wYWRkaW5nIDBPZ2dTAAS4JgAAAAAAAHpYM08CAAAAbxwUlQsHBwcICQcICAgIBwgL60GfyuAICZEGx1j6CAmSsxCA',
  'pQgJkRWZ/vs8CAlWWRMBE+UyCAmSkKKXxwgJcZHS597/CAjVGeQ9WtAICXGR0Y0iIAgIwjoCAGPACAlRSuPsDA==',
].join('');

export const SAMPLES: Record<MessageType, () => Sample> = {
  text: () => ({ content: { type: 'text', body: 'Wirebird tests itself.' }, file: null }),
  image: () => ({
    content: { type: 'image', url },
    file: { bytes: Buffer.from(PNG, 'base64'), mimeType: 'image/png' },
  }),
  document: () => ({
    content: { type: 'document', url, filename: 'test.pdf' },
    file: { bytes: Buffer.from(PDF), mimeType: 'application/pdf' },
  }),
  location: () => ({
    content: { type: 'location', latitude: 52.52, longitude: 13.4, name: 'Test' },
    file: null,
  }),
  contact: () => ({
    content: { type: 'contact', contactName: 'Wirebird', contactPhone: '12025550199' },
    file: null,
  }),
  audio: () => ({
    content: { type: 'audio', url },
    file: { bytes: Buffer.from(OGG, 'base64'), mimeType: 'audio/ogg; codecs=opus' },
  }),
};
