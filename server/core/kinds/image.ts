import { kind } from './kind.ts';

export const image = kind({
  fields: {
    url: (f) => f.mediaUrl('the image'),
    caption: (f) => f.caption(),
  },
  preview: ({ caption }) => caption ?? '',
  example: (url) => ({ url, caption: 'Finished this morning' }),
  media: {
    sample: { name: 'photo.jpg', mimeType: 'image/jpeg' },
    shown: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  },
  summary: 'Send an image',
  description:
    'JPEG, PNG, WebP or GIF, detected from the file’s content, not its name. At most 16 MB (16 × 1024 × 1024 bytes) and 50 megapixels.',
});
