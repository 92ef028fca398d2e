import { PLACEHOLDER_FILES, type SampleFiles, sampleFilesAt } from '#server/core/examples.ts';
import { settings } from '#server/settings.ts';
import { readControlFile } from './control-file.ts';

/**
 * Files for examples. If this installation's sandbox runs, its files, so that every example works unchanged.
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
