import { z } from 'zod';
import { tokenField } from '#server/core/request-fields.ts';
import { SEND_FIELDS } from '#server/core/send-requests.ts';
import { sendMeta } from './send-meta.ts';

export const sendImageMeta = sendMeta('/messages/image', {
  summary: 'Send an image',
  description:
    'JPEG, PNG, WebP or GIF, judged by its bytes: at most 16 MB (16 × 1024 × 1024 bytes) and 50 megapixels.',
});

export const SendImageRequest = z.object({ token: tokenField(), ...SEND_FIELDS.image() });

export const sendImageExample = (url: string) => ({
  to: '4915228817386',
  url,
  caption: 'Finished this morning',
});
