import { styleText } from 'node:util';
import { escapeControls, escapeControlsInLines } from '../core/printable.ts';

/**
 * What `npm start` says to the person in front of it. Colours come only where the output is a terminal that
 * wants them (`NO_COLOR`), and no text can bring its own: its control characters are shown escaped.
 */
const began = performance.now();

const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;

/** A line as it is. */
export function say(line: string): void {
  console.log(escapeControlsInLines(line));
}

/** A part that was started, found or made, with the time since the start. */
export function sayStep(part: string, what: string): void {
  const time = styleText('dim', seconds(), { stream: process.stdout });
  console.log(`  ${part.padEnd(11)} ${escapeControls(what).padEnd(52)} ${time}`);
}

/** The line that a newcomer looks for. */
export function sayHeading(line: string): void {
  console.log(styleText('bold', escapeControls(line), { stream: process.stdout }));
}

/** Why something went wrong, on stderr. */
export function sayProblem(text: string): void {
  console.error(styleText('red', escapeControlsInLines(text), { stream: process.stderr }));
}

/** A warning or an error of a running part, on stderr. */
export function sayFrom(part: string, level: string, text: string): void {
  const colour = level === 'warn' ? 'yellow' : level === 'error' || level === 'fatal' ? 'red' : 'dim';
  const head = styleText(colour, `${escapeControls(level)}: `, { stream: process.stderr });
  console.error(`  ${part.padEnd(11)} ${head}${escapeControls(text)}`);
}

/** Seconds since the start, such as `1.4 s`. */
export const elapsed = seconds;
