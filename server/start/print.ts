import { styleText } from 'node:util';
import { escapeControls, escapeControlsInLines } from '../core/printable.ts';

/**
 * What `npm start` prints. Colours appear only on a terminal without `NO_COLOR`. Control characters are escaped,
 * so that no text can bring its own colours.
 */
const began = performance.now();

const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;

export function print(line: string): void {
  console.log(escapeControlsInLines(line));
}

/** A step of the start, with the time since it began. */
export function printStep(step: string, what: string): void {
  const time = styleText('dim', seconds(), { stream: process.stdout });
  console.log(`  ${step.padEnd(11)} ${escapeControls(what).padEnd(52)} ${time}`);
}

/** The line that a new user looks for. */
export function printHeading(line: string): void {
  console.log(styleText('bold', escapeControls(line), { stream: process.stdout }));
}

/** An error, on stderr. */
export function printProblem(text: string): void {
  console.error(styleText('red', escapeControlsInLines(text), { stream: process.stderr }));
}

/** A warning or an error of a running process, on stderr. */
export function printFrom(name: string, level: string, text: string): void {
  const colour = level === 'warn' ? 'yellow' : level === 'error' || level === 'fatal' ? 'red' : 'dim';
  const head = styleText(colour, `${escapeControls(level)}: `, { stream: process.stderr });
  console.error(`  ${name.padEnd(11)} ${head}${escapeControls(text)}`);
}

/** Seconds since the start, such as `1.4 s`. */
export const elapsed = seconds;
