import { z } from 'zod';
import { tokenField } from '#server/core/request-fields.ts';
import { SEND_FIELDS } from '#server/core/send-requests.ts';
import { sendMeta } from './send-meta.ts';

export const sendAudioMeta = sendMeta('/messages/audio', {
  summary: 'Send an audio file',
  description:
    'MP3, AAC or M4A, OGG (Opus, Vorbis), AMR, WAV or FLAC, judged by its bytes: at most 16 MB (16 × 1024 × 1024 bytes).',
});

export const SendAudioRequest = z.object({ token: tokenField(), ...SEND_FIELDS.audio() });

export const sendAudioExample = (url: string) => ({ to: '4915228817386', url });
