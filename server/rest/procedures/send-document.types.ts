import { z } from 'zod';
import { tokenField } from '#server/core/request-fields.ts';
import { SEND_FIELDS } from '#server/core/send-requests.ts';
import { sendMeta } from './send-meta.ts';

export const sendDocumentMeta = sendMeta('/messages/document', {
  summary: 'Send a document',
  description:
    'Any file of 1 byte to 16 MB (16 × 1024 × 1024 bytes). It arrives as a document, also where it is an image.',
});

export const SendDocumentRequest = z.object({ token: tokenField(), ...SEND_FIELDS.document() });

export const sendDocumentExample = (url: string) => ({
  to: '4915228817386',
  url,
  filename: 'offer.pdf',
  caption: 'Our offer, valid until Friday',
});
