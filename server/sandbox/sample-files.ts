import { settings } from '#server/settings.ts';
import { readControlFile } from './control-file.ts';

const PLACEHOLDERS = {
  image: 'https://example.com/photo.jpg',
  document: 'https://example.com/offer.pdf',
  audio: 'https://example.com/song.mp3',
};

/** Addresses of files for code samples: in the sandbox they work as they are. */
export function sampleFiles(): typeof PLACEHOLDERS {
  if (!settings.sandbox) return PLACEHOLDERS;
  try {
    const { image, document, audio } = readControlFile().samples;
    return { image, document, audio };
  } catch {
    // The sandbox is just starting: a page need not fail for its samples.
    return PLACEHOLDERS;
  }
}
