import { KINDS } from './kinds/index.ts';
import { MEDIA_RULES, type MediaKind, type MessageType } from './message.ts';

/** An example number that is not in use. */
export const EXAMPLE_TO = '4915228817386';

/** The address of a file that can be sent, for each kind that has one. */
export type SampleFiles = Record<MediaKind, string>;

/** The sample files of all kinds, served below `base`. */
export function sampleFilesAt(base: string): SampleFiles {
  const files = Object.entries(MEDIA_RULES).map(([type, { sample }]) => [type, `${base}/${sample.name}`]);
  return Object.fromEntries(files) as SampleFiles;
}

/** Example addresses, if no sandbox serves the files. */
export const PLACEHOLDER_FILES = sampleFilesAt('https://example.com');

/** A request of a kind that can be posted as it is. */
export function exampleRequest(type: MessageType, files: SampleFiles) {
  const url = type in files ? files[type as MediaKind] : '';
  return { to: EXAMPLE_TO, ...KINDS[type].example(url) };
}
