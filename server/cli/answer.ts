import { escapeControls, escapeControlsInLines } from '#server/core/printable.ts';
import { firstError } from '#server/platform/first-error.ts';
import { Lines } from './command.ts';

/** The output of a command, and its exit code. */
export interface Answer {
  code: 0 | 1;
  /** One JSON value, lines for people, or nothing. */
  stdout: string;
  /** The error, in one line. */
  stderr: string;
}

/** Runs the command in the arguments. `indent` is for human readers. */
export async function answer(argv: string[], indent: number): Promise<Answer> {
  try {
    // Imported here, so that an invalid setting, which is found during the import, is reported in one line too.
    const { run } = await import('./run.ts');
    const value = await run(argv);
    const printed = value instanceof Lines ? value.lines.join('\n') : JSON.stringify(value, null, indent);
    return { code: 0, stdout: escapeControlsInLines(`${printed}\n`), stderr: '' };
  } catch (thrown) {
    const error = firstError(thrown);
    const message = error instanceof Error ? error.message : String(error);
    return { code: 1, stdout: '', stderr: `${escapeControls(message.replace(/\s*\n\s*/g, ' ').trim())}\n` };
  }
}
