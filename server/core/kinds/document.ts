import { kind } from './kind.ts';

export const document = kind({
  fields: {
    url: (f) => f.mediaUrl('the file'),
    filename: (f) => f.filename(),
    caption: (f) => f.caption(),
  },
  preview: ({ filename, caption }) => (caption ? `${filename}: ${caption}` : filename),
  example: (url) => ({ url, filename: 'offer.pdf', caption: 'Our offer, valid until Friday' }),
  media: { sample: { name: 'offer.pdf', mimeType: 'application/pdf' }, shown: [] },
  summary: 'Send a document',
  description:
    'Any file of 1 byte to 16 MB (16 × 1024 × 1024 bytes). It arrives as a document, even if it is an image.',
});
