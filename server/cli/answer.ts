import { escapeControls, escapeControlsInLines } from '#server/core/printable.ts';

/** What a command prints, and the code that it ends with. */
export interface Answer {
  code: 0 | 1;
  /** One JSON value, or nothing. */
  stdout: string;
  /** What went wrong, in one line. */
  stderr: string;
}

/** Does what the arguments say. `indent` is for people's eyes. */
export async function answer(argv: string[], indent: number): Promise<Answer> {
  try {
    // Imported here, so that a wrong setting, which is found while importing, is reported in one line too.
    const { run } = await import('./run.ts');
    const json = JSON.stringify(await run(argv), null, indent);
    return { code: 0, stdout: escapeControlsInLines(`${json}\n`), stderr: '' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: 1, stdout: '', stderr: `${escapeControls(message.replace(/\s*\n\s*/g, ' ').trim())}\n` };
  }
}
