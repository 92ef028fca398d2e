import { PLACEHOLDER_FILES, type SampleFiles, sampleFilesAt } from '#server/core/examples.ts';
import { settings } from '#server/settings.ts';
import { readControlFile } from './control-file.ts';

/**
 * Files for examples: those of this installation's sandbox, if one runs, so that every example can be posted unchanged.
 */
export function sampleFiles(): SampleFiles {
  if (!settings.sandbox) return PLACEHOLDER_FILES;
  try {
    return sampleFilesAt(`http://${readControlFile().samples.host}/samples`);
  } catch {
    // The sandbox is just starting.
    return PLACEHOLDER_FILES;
  }
}
