import { kind } from './kind.ts';

export const audio = kind({
  fields: { url: (f) => f.mediaUrl('the audio file') },
  preview: () => '',
  example: (url) => ({ url }),
  media: {
    sample: { name: 'birdsong.mp3', mimeType: 'audio/mpeg' },
    shown: [
      ...['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/mp4'],
      ...['audio/amr', 'audio/wav', 'audio/flac'],
    ],
  },
  summary: 'Send an audio file',
  description:
    'MP3, AAC or M4A, OGG with Opus, or AMR, detected from the file’s content, not its name. WhatsApp Web does not read WAV, FLAC and OGG with Vorbis: send them as a document. At most 16 MB (16 × 1024 × 1024 bytes).',
});
