import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { openApiDocument } from '../openapi.ts';
import { type Reference, referenceOf } from './operations.ts';

let read: { image: string; reference: Reference } | undefined;

/** The reference of this installation, cached until the addresses of the example files change. */
export function currentReference(): Reference {
  const files = sampleFiles();
  if (read?.image !== files.image)
    read = { image: files.image, reference: referenceOf(openApiDocument(files)) };
  return read.reference;
}
