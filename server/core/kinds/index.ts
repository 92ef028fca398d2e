import { audio } from './audio.ts';
import { contact } from './contact.ts';
import { document } from './document.ts';
import { image } from './image.ts';
import { location } from './location.ts';
import { text } from './text.ts';

/** The kinds of message, by their `type` in REST. Pages and documents list them in this order. */
export const KINDS = { text, image, document, location, contact, audio };
