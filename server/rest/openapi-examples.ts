import { AppError } from '#server/core/errors.ts';
import { readControlFile } from '#server/sandbox/control-file.ts';
import { settings } from '#server/settings.ts';
import { sendAudioExample } from './procedures/send-audio.types.ts';
import { sendContactExample } from './procedures/send-contact.types.ts';
import { sendDocumentExample } from './procedures/send-document.types.ts';
import { sendImageExample } from './procedures/send-image.types.ts';
import { sendLocationExample } from './procedures/send-location.types.ts';
import { sendTextExample } from './procedures/send-text.types.ts';

export interface ExampleFiles {
  image: string;
  document: string;
  audio: string;
}

const ELSEWHERE: ExampleFiles = {
  image: 'https://example.com/photo.jpg',
  document: 'https://example.com/offer.pdf',
  audio: 'https://example.com/birdsong.mp3',
};

/**
 * The media of the examples: the sample files of this installation's sandbox where one runs, so that every
 * example can be posted as it stands; otherwise addresses that show the form.
 */
export function exampleFiles(): ExampleFiles {
  if (!settings.sandbox) return ELSEWHERE;
  try {
    return readControlFile().samples;
  } catch (error) {
    if (error instanceof AppError) return ELSEWHERE;
    throw error;
  }
}

/** A request of each kind, by operation. */
export function requestExamples(files: ExampleFiles) {
  return {
    sendText: sendTextExample,
    sendImage: sendImageExample(files.image),
    sendDocument: sendDocumentExample(files.document),
    sendLocation: sendLocationExample,
    sendContact: sendContactExample,
    sendAudio: sendAudioExample(files.audio),
  };
}
