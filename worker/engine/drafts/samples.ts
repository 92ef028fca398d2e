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

/** A tenth of a second of silence: WAV, one channel, 8 bits, 8 kHz. */
function silence(): Buffer {
  const samples = 800;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}

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
  audio: () => ({ content: { type: 'audio', url }, file: { bytes: silence(), mimeType: 'audio/wav' } }),
};
